#include "stickslip/convert/exact_text.h"

#include <fmt/format.h>

namespace stickslip::convert {
namespace {

constexpr int kMostRounds = 20;  // two or three are enough as a rule; a cycle of two neighbours is left as it is

}  // namespace

std::string number_text(double x) { return x == 0 ? "0" : fmt::format("{}", x); }

Quaterniond stable_quaternion(const Matrix3d& R) {
  Quaterniond q(R);
  for (int i = 0; i < kMostRounds; ++i) {
    const Quaterniond again(q.normalized().toRotationMatrix());
    if (again.coeffs() == q.coeffs()) break;
    q = again;
  }
  return q;
}

Vector3d stable_axis(const Vector3d& axis) {
  Vector3d a = axis;
  for (int i = 0; i < kMostRounds; ++i) {
    const Vector3d again = a / a.stableNorm();
    if (again == a) break;
    a = again;
  }
  return a;
}

}  // namespace stickslip::convert
