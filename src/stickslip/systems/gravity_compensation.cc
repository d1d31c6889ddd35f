#include "stickslip/systems/gravity_compensation.h"

#include "stickslip/dynamics/inverse_dynamics.h"

namespace stickslip {
namespace {

struct Memory final : System::Scratch {
  State state;
  Kinematics kinematics;
  InverseDynamicsWorkspace workspace;
  VectorXd tau;
};

}  // namespace

std::unique_ptr<System::Scratch> GravityCompensation::make_scratch(const Model&) const {
  return std::make_unique<Memory>();
}

void GravityCompensation::output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const {
  auto& memory = static_cast<Memory&>(*scratch);
  memory.state = input.state;
  memory.state.v.setZero();
  compute_poses(input.model, memory.state, memory.kinematics);
  compute_velocities(input.model, memory.state, memory.kinematics);
  bias_force(input.model, memory.state, memory.kinematics, memory.tau, memory.workspace);
  for (const JointPlace& place : places_) tau[place.v] += memory.tau[place.v];
}

}  // namespace stickslip
