#include "stickslip/geometry/gjk.h"

#include <algorithm>

namespace stickslip {
namespace {

constexpr int kMaxIterations = 100;
constexpr double kGap = 1e-14;       // between the distance and its lower bound, relative
constexpr double kRoundOff = 4e-16;  // of the scale: what the difference of two points is worth

}  // namespace

void find_nearest(const CorePair& pair, double limit, Nearest& result) {
  Simplex& simplex = result.simplex;
  Vector3d direction = pair.center_difference();
  if (!(direction.squaredNorm() > 0)) direction = Vector3d::UnitX();
  simplex.count = 0;
  simplex.push(support(pair, direction));
  simplex.weights[0] = 1;
  Vector3d& v = result.point;
  v = simplex.points[0].w;
  result.status = Nearest::Status::kTouch;
  const double gap = pair.is_curved ? kCurvedGap : kGap;
  double square = v.squaredNorm();
  bool is_outside = false;  // some plane has been seen to separate the two
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const double length = std::sqrt(square);
    result.distance = length;
    if (length <= kTouching * pair.scale) return;
    const DifferencePoint next = support(pair, v);
    const double bound = v.dot(next.w) / length;
    if (bound > limit) {
      result.distance = bound;
      result.status = Nearest::Status::kFar;
      return;
    }
    is_outside |= bound > 0;
    const bool is_known = !pair.is_curved && simplex.contains(next);
    if (is_known || length - bound <= gap * length + kRoundOff * pair.scale) break;
    const Simplex before = simplex;
    const Vector3d v_before = v;
    simplex.push(next);
    if (!reduce_to_nearest(simplex, v)) return;
    const double square_before = square;
    square = v.squaredNorm();
    if (square >= square_before) {  // only round-off is left
      simplex = before;
      v = v_before;
      break;
    }
  }
  if (is_outside) result.status = Nearest::Status::kApart;
}

}  // namespace stickslip
