#include "stickslip/control/extrapolate.h"

#include "stickslip/state/configuration.h"
#include "stickslip/step/centers_of_mass.h"

namespace stickslip {

void Extrapolation::apply(const State& half, const State& full, const std::vector<double>& share, State& next) {
  difference(model_, half.q, full.q, difference_);
  for (const Link& link : model_.links) {
    if (link.tree < 0) continue;
    const double s = share[link.tree];
    for (int i = link.v_start; i < link.v_start + velocity_count(link.kind); ++i) {
      if (s != 0) next.v[i] = (1 + s) * half.v[i] - s * full.v[i];
      difference_[i] *= s;
    }
    if (s != 0 && model_.trees[link.tree].is_free_body && !link.inertia.center.isZero(0))
      extrapolate_center(link, half, full, s, difference_, next.v);
  }
  integrate(model_, half.q, difference_, q_);
  for (const Link& link : model_.links) {
    if (link.tree < 0 || share[link.tree] == 0) continue;
    const int count = position_count(link.kind);
    next.q.segment(link.q_start, count) = q_.segment(link.q_start, count);
  }
}

}  // namespace stickslip
