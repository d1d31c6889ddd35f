#include "stickslip/step/free_flight.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

constexpr double kLongestTurn = 0.1, kShortestTurn = 0.01;  // of one short step [rad]
constexpr int kMostTurns = 100000;
constexpr double kRoundOff = 1e-10;  // of a torque that is none

Quaterniond orientation(const VectorXd& q, int start) {
  return {q[start + 3], q[start + 4], q[start + 5], q[start + 6]};
}

// Body-axes angular velocity at R0 exp(u), for the angular momentum `L` in the axes of R0.
Vector3d angular_velocity(const Matrix3d& inverse_inertia, const Vector3d& L, const Vector3d& u) {
  return inverse_inertia * (exp_quaternion(u).conjugate() * L);
}

// One step of Runge and Kutta's method for the rotation vector u of R = R0 exp(u).
Vector3d turn(const Matrix3d& inverse_inertia, const Vector3d& L, double h) {
  const auto rate = [&](const Vector3d& u) {
    return Vector3d(right_jacobian_inverse(u) * angular_velocity(inverse_inertia, L, u));
  };
  const Vector3d k1 = inverse_inertia * L, k2 = rate(0.5 * h * k1), k3 = rate(0.5 * h * k2), k4 = rate(h * k3);
  return h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
}

// How much faster or slower a turn can get, relative to itself: none for bodies as round as a ball.
double unevenness(const Matrix3d& inertia) {
  const Vector3d moments = principal_inertia(inertia).moments;
  return std::min(1.0, (moments[2] - moments[0]) / moments[0]);
}

// The rotation after the time h.
Quaterniond tumble(const Matrix3d& inertia, const Quaterniond& start, const Vector3d& momentum, double h,
                   double accuracy) {
  const Matrix3d inverse = inertia.inverse();
  const double longest = std::clamp(std::pow(accuracy, 0.25), kShortestTurn, kLongestTurn);
  const double uneven = unevenness(inertia);
  Quaterniond R = start;
  double left = h;
  for (int i = 0; i < kMostTurns && left > 0; ++i) {
    const Vector3d L = R.conjugate() * momentum;
    const double change = uneven * (inverse * L).norm();
    const double most = longest / std::max(change, 1e-300);
    const double step = left <= most ? left : left < 2 * most ? 0.5 * left : most;
    R = (R * exp_quaternion(turn(inverse, L, step))).normalized();
    left -= step;
  }
  return R;
}

}  // namespace

bool can_fly(const Model& model, int tree) {
  const Tree& own = model.trees[tree];
  if (!own.is_free_body) return false;
  const Link& link = model.links[own.first_link];
  return link.damping == 0 && link.stiffness == 0 && link.armature == 0;
}

bool fly(const Model& model, int tree, const State& start, const VectorXd& force, double h, double accuracy,
         State& end) {
  const Link& link = model.links[model.trees[tree].first_link];
  const MassProperties& body = link.inertia;
  const int q = link.q_start, v = link.v_start;
  const Quaterniond R0 = orientation(start.q, q);
  const Vector3d r0 = R0 * body.center, f = force.segment<3>(v);
  const Vector3d w_B = start.v.segment<3>(v + 3), w0 = R0 * w_B, momentum_B = body.inertia * w_B;
  const Vector3d gyroscopic = R0 * momentum_B.cross(w_B);
  const Vector3d torque = R0 * force.segment<3>(v + 3) - r0.cross(f);
  const double scale = gyroscopic.norm() + f.norm() * (r0.norm() + std::sqrt(body.inertia.trace() / body.mass));
  if (!(torque.norm() <= kRoundOff * scale)) return false;

  const Vector3d a = f / body.mass, u0 = start.v.segment<3>(v) + w0.cross(r0);
  const Vector3d x0 = start.q.segment<3>(q) + r0, momentum = R0 * momentum_B;
  const Quaterniond R1 = tumble(body.inertia, R0, momentum, h, accuracy);
  const Vector3d r1 = R1 * body.center, w1_B = body.inertia.llt().solve(R1.conjugate() * momentum), w1 = R1 * w1_B;
  end.q.segment<3>(q) = x0 + h * u0 + 0.5 * h * h * a - r1;
  end.q.segment<4>(q + 3) << R1.w(), R1.x(), R1.y(), R1.z();
  end.v.segment<3>(v) = u0 + h * a - w1.cross(r1);
  end.v.segment<3>(v + 3) = w1_B;
  return true;
}

}  // namespace stickslip
