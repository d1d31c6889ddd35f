#include "stickslip/view/drag_spring.h"

#include "stickslip/dynamics/forward_dynamics.h"
#include "stickslip/dynamics/jacobian.h"

namespace stickslip {
namespace {

constexpr double kFrequency = 12;  // [rad/s]: brisk to the eye, and slow for any step

constexpr double kLongestWay = 1e3;  // [m] that a spring is stretched, wherever a page says that its end is

struct Memory final : System::Scratch {
  Kinematics kinematics;
  std::vector<JacobianColumn> columns;
};

void push(const std::vector<JacobianColumn>& columns, const Vector3d& force, VectorXd& tau) {
  for (const JacobianColumn& column : columns) tau[column.v] += column.linear.dot(force);
}

Vector3d velocity(const std::vector<JacobianColumn>& columns, const VectorXd& v) {
  Vector3d sum = Vector3d::Zero();
  for (const JacobianColumn& column : columns) sum += column.linear * v[column.v];
  return sum;
}

// What resists a push on the point: the harmonic mean over three directions.
double mass_at(const Model& model, const State& state, const Kinematics& kinematics,
               const std::vector<JacobianColumn>& columns) {
  ForwardDynamicsWorkspace workspace;
  VectorXd free, pushed, tau = VectorXd::Zero(model.nv);
  if (!forward_dynamics(model, state, kinematics, tau, nullptr, nullptr, free, workspace).ok()) return 0;
  double mobility = 0;
  for (int i = 0; i < 3; ++i) {
    tau.setZero();
    push(columns, Vector3d::Unit(i), tau);
    forward_dynamics(model, state, kinematics, tau, nullptr, nullptr, pushed, workspace);
    mobility += velocity(columns, pushed - free)[i] / 3;
  }
  return mobility > 0 ? 1 / mobility : 0;
}

}  // namespace

std::unique_ptr<System::Scratch> DragSpring::make_scratch(const Model&) const { return std::make_unique<Memory>(); }

VectorXd DragSpring::holding(const Model& model, const State& state, int body, const Vector3d& point,
                             const Vector3d& target) {
  Memory memory;
  compute_poses(model, state, memory.kinematics);
  compute_velocities(model, state, memory.kinematics);
  jacobian_columns(model, memory.kinematics, model.bodies[static_cast<size_t>(body)].link,
                   body_pose(model, memory.kinematics, body) * point, memory.columns);
  VectorXd z(kStates);
  z << mass_at(model, state, memory.kinematics, memory.columns), body, point, target;
  return z;
}

void DragSpring::output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const {
  const double mass = input.z[kMass];
  const bool is_body = input.z[kBody] >= 1 && input.z[kBody] < static_cast<double>(input.model.bodies.size());
  if (!(mass > 0) || !is_body) return;  // states can be written by anybody
  auto& memory = static_cast<Memory&>(*scratch);
  const int body = static_cast<int>(input.z[kBody]);
  compute_poses(input.model, input.state, memory.kinematics);
  const Vector3d point = body_pose(input.model, memory.kinematics, body) * Vector3d(input.z.segment<3>(kPoint));
  jacobian_columns(input.model, memory.kinematics, input.model.bodies[static_cast<size_t>(body)].link, point,
                   memory.columns);
  Vector3d way = input.z.segment<3>(kTarget) - point;
  if (way.norm() > kLongestWay) way *= kLongestWay / way.norm();
  push(memory.columns, mass * kFrequency * (kFrequency * way - 2 * velocity(memory.columns, input.state.v)), tau);
}

}  // namespace stickslip
