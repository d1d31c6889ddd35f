#pragma once

#include <array>

// MuJoCo's soft constraints, contacts and equalities alike, at rest under gravity.
//
// MuJoCo drives the error x of a constraint by x'' = (1 - d) a0 - d (B x' + d K x), where a0 is the acceleration
// without the constraint and
//
//   d = solimp's curve at x      K = 1 / (dmax timeconst dampratio)^2    B = 2 / (dmax timeconst)
//                                or K = -solref[0] / dmax^2              B = -solref[1] / dmax
namespace stickslip {

struct MjcfRest {
  double depth = 0;          // x_s, where d^2 K x_s = (1 - d) g [m]
  double damping = 0;        // d B there [1/s]
  double damping_ratio = 0;  // of x'' = -d (B x' + d K x): B / (2 sqrt(K))
};

MjcfRest find_rest(const std::array<double, 2>& solref, const std::array<double, 5>& solimp);

// g, whatever the scene's: a material does not change on the moon.
constexpr double kGravity = 9.81;  // [m/s^2]

}  // namespace stickslip
