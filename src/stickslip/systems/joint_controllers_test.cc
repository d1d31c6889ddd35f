#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>
#include <stdexcept>

#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/dynamics/inverse_dynamics.h"
#include "stickslip/dynamics/mass_matrix.h"
#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/gravity_compensation.h"
#include "stickslip/systems/inverse_dynamics_control.h"
#include "stickslip/systems/joint_pd.h"
#include "stickslip/systems/joint_pid.h"
#include "stickslip/systems/trajectory_replay.h"

namespace stickslip {
namespace {

using arms_testing::arm;
using arms_testing::list_of;
using arms_testing::one;
using arms_testing::output_of;
using arms_testing::stage;
using arms_testing::start_of;
using arms_testing::terms_of;

// The same system without its own Jacobians.
class Differenced final : public System {
 public:
  Differenced(const Model& model, std::shared_ptr<const System> system)
      : System(system->name()), system_(std::move(system)), dofs_(system_->dofs(model)) {}
  VectorXd initial(const Model& model) const override { return system_->initial(model); }
  std::vector<int> dofs(const Model&) const override { return dofs_; }
  std::unique_ptr<Scratch> make_scratch(const Model& model) const override { return system_->make_scratch(model); }
  void output(const SystemInput& in, Scratch* scratch, VectorXd& tau) const override {
    system_->output(in, scratch, tau);
  }
  void derivative(const SystemInput& in, Scratch* scratch, Eigen::Ref<VectorXd> zdot) const override {
    system_->derivative(in, scratch, zdot);
  }

 private:
  std::shared_ptr<const System> system_;
  std::vector<int> dofs_;
};

State moving(const Model& model, const SystemList& list) {
  State state = start_of(model, list);
  forest_testing::Random random(5);
  state.q += 0.5 * random.vector_of(model.nq);
  state.v = random.vector_of(model.nv);
  state.z = random.vector_of(list.nz());
  normalize_configuration(model, state.q);
  return state;
}

// Jacobians by hand against differences; gains of order 10.
TEST(JointControllers, JacobiansEqualDifferences) {
  const Model model = compile(arm());
  const JointControllerOptions options{.joints = {"hinge5", "hinge2", "hinge0"},
                                       .kp = VectorXd{{30, 20, 10}},
                                       .kd = VectorXd{{3, 2, 1}},
                                       .target = one(0.3)};
  const std::shared_ptr<const System> systems[] = {
      std::make_shared<JointPD>(model, options), std::make_shared<JointPID>(model, options, VectorXd{{4, 5, 6}}),
      std::make_shared<TrajectoryReplay>(model, options, VectorXd{{0, 1}}, MatrixXd::Random(2, 3))};
  for (const auto& system : systems) {
    const auto list = list_of(model, {system});
    const auto plain = list_of(model, {std::make_shared<Differenced>(model, system)});
    const State state = moving(model, *list);
    const SystemJacobians a = terms_of(list, state).jacobians, b = terms_of(plain, state).jacobians;
    EXPECT_LE((a.g_q - b.g_q).norm() + (a.g_v - b.g_v).norm() + (a.g_z - b.g_z).norm(), 1e-6) << system->name();
    EXPECT_LE((a.h_q - b.h_q).norm() + (a.h_v - b.h_v).norm() + (a.h_z - b.h_z).norm(), 1e-6) << system->name();
  }
}

TEST(JointControllers, RefuseWhatDoesNotFit) {
  const Model model = compile(arm(true));
  const auto make = [&](const JointControllerOptions& options) { return JointPD(model, options); };
  EXPECT_THROW(make({.joints = {"hinge9"}}), std::invalid_argument);
  EXPECT_THROW(make({.joints = {"hinge1", "hinge2"}, .kp = VectorXd::Ones(3)}), std::invalid_argument);
  SystemList list(model);
  EXPECT_THROW(list.add(std::make_shared<JointPD>(model, JointControllerOptions{.joints = {"hinge1", "hinge1"}})),
               std::invalid_argument);
  EXPECT_THROW(list.add(std::make_shared<JointPD>(model, JointControllerOptions{.effort_limit = one(-1)})),
               std::invalid_argument);
}

// With gains of zero what is left is the bias; with gains the acceleration is the one that was asked for.
TEST(InverseDynamicsControl, GivesTheDesiredAcceleration) {
  const Model model = compile(arm());
  const auto list =
      list_of(model, {std::make_shared<InverseDynamicsControl>(
                         model, JointControllerOptions{.kp = one(20), .kd = one(3), .target = one(0.5)})});
  const State state = moving(model, *list);
  Kinematics kinematics;
  compute_poses(model, state, kinematics);
  compute_velocities(model, state, kinematics);
  MassMatrix mass(model);
  compute_mass_matrix(model, state, kinematics, mass);
  InverseDynamicsWorkspace workspace;
  VectorXd bias;
  bias_force(model, state, kinematics, bias, workspace);
  const VectorXd vdot = dense_mass_matrix(model, kinematics, mass).ldlt().solve(output_of(list, state) - bias);
  const VectorXd expected = 20 * (VectorXd::Constant(7, 0.5) - state.q) - 3 * state.v;
  EXPECT_LE((vdot - expected).norm(), 1e-10 * expected.norm());
}

// Its Jacobians leave out the derivatives of bias and mass matrix: what is left of the difference does not grow with
// kd.
TEST(InverseDynamicsControl, JacobiansAreThoseOfTheGains) {
  const Model model = compile(arm(true));
  const auto system =
      std::make_shared<InverseDynamicsControl>(model, JointControllerOptions{.kp = one(1e6), .kd = one(1e6)});
  const auto list = list_of(model, {system});
  const auto plain = list_of(model, {std::make_shared<Differenced>(model, system)});
  const MatrixXd a = terms_of(list, moving(model, *list)).jacobians.g_v;
  const MatrixXd b = terms_of(plain, moving(model, *plain)).jacobians.g_v;
  EXPECT_LE((a - b).norm(), 1e-5 * a.norm());
  EXPECT_LE((a - a.transpose()).norm(), 1e-14 * a.norm());
}

// A hinge at the angle q from the vertical: m g l sin q.
TEST(GravityCompensation, HoldsAPendulum) {
  Scene scene;
  scene.bodies.push_back({.name = "rod", .inertia = {2, Vector3d(0, 0, 0.7), 0.1 * Matrix3d::Identity()}});
  scene.joints.push_back({.name = "hinge", .child = "rod", .axis = Vector3d::UnitY()});
  const Model model = compile(scene);
  const auto list = list_of(model, {std::make_shared<GravityCompensation>(model)});
  State state = start_of(model, *list);
  state.q[0] = 0.6;
  state.v[0] = 3;
  EXPECT_NEAR(output_of(list, state)[0], -2 * 9.81 * 0.7 * std::sin(0.6), 1e-12);
}

// Straight lines between the rows, held before and after.
TEST(TrajectoryReplay, InterpolatesAndHolds) {
  const Model model = compile(stage(1));
  const JointControllerOptions gains{.kp = one(10), .kd = one(1)};
  const auto list = list_of(
      model, {std::make_shared<TrajectoryReplay>(model, gains, VectorXd{{1, 2, 4}}, MatrixXd{{0.0}, {1.0}, {2.0}})});
  State state = start_of(model, *list);
  const auto force_at = [&](double t) {
    state.time = t;
    return output_of(list, state)[0];
  };
  EXPECT_DOUBLE_EQ(force_at(0), 0);
  EXPECT_DOUBLE_EQ(force_at(1.25), 10 * 0.25 + 1);
  EXPECT_DOUBLE_EQ(force_at(3), 10 * 1.5 + 0.5);
  EXPECT_DOUBLE_EQ(force_at(5), 20);
  EXPECT_THROW(TrajectoryReplay(model, gains, VectorXd{{1, 1}}, MatrixXd::Zero(2, 1)), std::invalid_argument);
  EXPECT_THROW(TrajectoryReplay(model, gains, VectorXd{{1, 2}}, MatrixXd::Zero(2, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace stickslip
