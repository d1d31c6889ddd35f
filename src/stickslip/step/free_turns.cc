#include "stickslip/step/free_turns.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "stickslip/math/mass_properties.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

constexpr double kLongestTurn = 0.05;  // of the angular velocity in the body's axes, in one of the steps [rad]
constexpr int kMostTurns = 1000;       // beyond, where a body is does not matter, only that it has its energy
constexpr double kNoTurn = 1e-12;      // of the angular velocity: round-off
constexpr double kSettled = 1e-14;
constexpr int kMostIterations = 30;

// tan(x)/x for |x| <= 0.5.
double tangent_ratio(double squared) {
  return (945 - squared * (105 - squared)) / (945 - squared * (420 - 15 * squared));
}

}  // namespace

// Euler's equations have the coefficients (I2 - I3)/I1 and so on.
TurningInertia::TurningInertia(const Matrix3d& inertia) : inertia_(inertia), inverse_(inertia.inverse()) {
  const Vector3d I = principal_inertia(inertia).moments;
  unevenness_ = std::max({std::abs(I[1] - I[2]) / I[0], std::abs(I[2] - I[0]) / I[1], std::abs(I[0] - I[1]) / I[2]});
  if (!(unevenness_ > kNoTurn)) unevenness_ = 0;
}

// Of the step's two equations the second is I (w1 - w0) = I w_m x a, where exp(h w_m) is the Cayley transform of
// a = tan(x)/x h w_m, x = h |w_m|/2. Only w_m = w0 + I^-1 (I w_m x a)/2 has to be found, by iteration.
Vector3d TurningInertia::mean_velocity(const Vector3d& w, double h) const {
  Vector3d mean = w;
  const double settled = kSettled * w.squaredNorm() * kSettled;
  for (int i = 0; i < kMostIterations; ++i) {
    const double ratio = tangent_ratio(0.25 * h * h * mean.squaredNorm());
    const Vector3d next = w + inverse_ * (0.5 * h * ratio * (inertia_ * mean).cross(mean));
    const double change = (next - mean).squaredNorm();
    mean = next;
    if (!(change > settled)) break;
  }
  return mean;
}

FreeTurn TurningInertia::turn(const Vector3d& w, double h) const {
  const double change = unevenness_ * h * w.norm();
  if (!(change > kNoTurn)) return {h * w, w};
  // Neither may a step be longer than the tangent's approximation reaches.
  const double turns = std::ceil(std::max(change / kLongestTurn, h * w.norm()));
  if (!(turns > 1)) {
    const Vector3d mean = mean_velocity(w, h);
    return {h * mean, 2 * mean - w};
  }
  if (!std::isfinite(turns)) return {h * w, w};
  const int count = static_cast<int>(std::min<double>(turns, kMostTurns));
  const double step = h / turns;
  FreeTurn out{Vector3d::Zero(), w};
  Quaterniond R = Quaterniond::Identity();
  for (int i = 0; i < count; ++i) {
    const Vector3d mean = mean_velocity(out.w, step);
    R = (R * exp_quaternion(step * mean)).normalized();
    out.w = 2 * mean - out.w;
  }
  out.turn = log_quaternion(R);
  return out;
}

FreeTurns::FreeTurns(const Model& model) {
  for (const int tree : model.free_trees) {
    const Link& link = model.links[model.trees[tree].first_link];
    bodies_.push_back({link.v_start + 3, TurningInertia(link.inertia.inertia)});
  }
}

void FreeTurns::add_torque(const State& state, double share, VectorXd& force) const {
  for (const Body& body : bodies_) {
    if (body.inertia.is_round()) continue;
    force.segment<3>(body.w_start) += share * body.inertia.gyroscopic_torque(state.v.segment<3>(body.w_start));
  }
}

void FreeTurns::turn(double h, VectorXd& displacement, VectorXd& v) const {
  for (const Body& body : bodies_) {
    if (body.inertia.is_round()) continue;
    const FreeTurn free = body.inertia.turn(v.segment<3>(body.w_start), h);
    displacement.segment<3>(body.w_start) = free.turn;
    v.segment<3>(body.w_start) = free.w;
  }
}

}  // namespace stickslip
