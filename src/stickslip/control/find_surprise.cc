#include "stickslip/control/find_surprise.h"

#include <functional>

namespace stickslip {

Surprise find_surprise(ConvexMethod& method, const Method::Prepared& start, const Method::Prepared* middle,
                       const ErrorNorm& norm, double h, const State& next, double allowed) {
  Surprise surprise;
  const auto judge = [&](const MissedMotion& missed) {
    surprise.error = measure_missed(norm, h, missed.v, missed.z, next);
    if (surprise.error > allowed) surprise.quiet = missed.before;
    return surprise.error <= allowed;
  };
  method.watch_systems(start, middle, next, std::cref(judge));  // by reference: it needs no memory of its own
  return surprise;
}

}  // namespace stickslip
