#include "stickslip/geometry/gjk.h"

#include <algorithm>

namespace stickslip {
namespace {

constexpr int kMaxIterations = 100;
constexpr int kMaxStalls = 4;        // the direction may still turn when the distance has lost its last digit
constexpr double kGap = 1e-14;       // between the distance and its lower bound, relative
constexpr double kRoundOff = 4e-16;  // of the scale: what the difference of two points is worth

void start(const CorePair& pair, Nearest& result) {
  Vector3d direction = pair.center_difference();
  if (!(direction.norm() > kTouching * pair.scale)) direction = Vector3d::UnitX();
  result.simplex.count = 0;
  result.simplex.push(support(pair, direction));
  result.simplex.weights[0] = 1;
  result.point = result.simplex.points[0].w;
  result.status = Nearest::Status::kTouch;
}

}  // namespace

void find_nearest(const CorePair& pair, double limit, double curved_gap, Nearest& result) {
  start(pair, result);
  Simplex& simplex = result.simplex;
  int stalls = 0;
  bool is_outside = pair.is_curved;  // some plane has been seen to separate the two
  const double round_off = (pair.is_curved ? curved_gap : kRoundOff) * pair.scale;
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    result.distance = result.point.norm();
    if (result.distance <= kTouching * pair.scale) return;
    const DifferencePoint next = support(pair, result.point);
    const double bound = result.point.dot(next.w) / result.distance;
    if (bound > limit) {
      result.distance = bound;
      result.status = Nearest::Status::kFar;
      return;
    }
    is_outside |= bound > 0;
    const bool is_known = !pair.is_curved && simplex.contains(next);
    if (is_known || result.distance - bound <= kGap * result.distance + round_off) break;
    simplex.push(next);
    const Reduction reduction = reduce_to_nearest(simplex, result.point);
    if (reduction == Reduction::kInside) return;
    if (reduction == Reduction::kFarther) {  // only round-off is left
      --simplex.count;
      break;
    }
    if (reduction == Reduction::kEqual && ++stalls == kMaxStalls) break;
  }
  if (is_outside) result.status = Nearest::Status::kApart;
}

}  // namespace stickslip
