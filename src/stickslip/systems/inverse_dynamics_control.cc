#include "stickslip/systems/inverse_dynamics_control.h"

#include "stickslip/dynamics/equations_of_motion.h"

namespace stickslip {
namespace {

struct Memory final : System::Scratch {
  explicit Memory(const Model& model) : mass(model), places(static_cast<size_t>(model.nv)) {
    for (const Link& link : model.links) {
      for (int k = 0; k < velocity_count(link.kind); ++k) places[link.v_start + k] = {link.tree, link.dof + k};
    }
  }
  struct DofPlace {
    int tree = 0, dof = 0;
  };
  Kinematics kinematics;
  InverseDynamicsWorkspace workspace;
  MassMatrix mass;
  std::vector<DofPlace> places;  // of each index of State::v
  VectorXd vdot, tau;
};

}  // namespace

std::unique_ptr<System::Scratch> InverseDynamicsControl::make_scratch(const Model& model) const {
  return std::make_unique<Memory>(model);
}

void InverseDynamicsControl::output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const {
  auto& memory = static_cast<Memory&>(*scratch);
  compute_poses(input.model, input.state, memory.kinematics);
  compute_velocities(input.model, input.state, memory.kinematics);
  memory.vdot.setZero(input.model.nv);
  for (int i = 0; i < count(); ++i)
    memory.vdot[places_[i].v] = kp_[i] * error(input, i) + kd_[i] * error_rate(input, i);
  inverse_dynamics(input.model, input.state, memory.kinematics, &memory.vdot, memory.tau, memory.workspace);
  for (const JointPlace& place : places_) tau[place.v] += memory.tau[place.v];
}

bool InverseDynamicsControl::jacobians(const SystemInput& input, Scratch* scratch, SystemJacobians& out) const {
  auto& memory = static_cast<Memory&>(*scratch);
  compute_poses(input.model, input.state, memory.kinematics);
  compute_mass_matrix(input.model, input.state, memory.kinematics, memory.mass);
  for (int i = 0; i < count(); ++i) {
    const Memory::DofPlace& row = memory.places[places_[i].v];
    for (int j = 0; j < count(); ++j) {
      const Memory::DofPlace& column = memory.places[places_[j].v];
      if (row.tree != column.tree) continue;
      const double inertia = memory.mass.block(row.tree)(row.dof, column.dof);
      out.g_q(i, j) = -inertia * kp_[j];
      out.g_v(i, j) = -inertia * kd_[j];
    }
  }
  return true;
}

}  // namespace stickslip
