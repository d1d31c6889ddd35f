// External systems in the methods: what a step makes of them.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/step/centers_of_mass.h"
#include "stickslip/step/free_turns.h"
#include "stickslip/step/step_testing.h"
#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/inverse_dynamics_control.h"
#include "stickslip/systems/joint_pd.h"
#include "stickslip/systems/joint_pid.h"
#include "stickslip/systems/trajectory_replay.h"

namespace stickslip {
namespace {

using arms_testing::arm;
using arms_testing::list_of;
using arms_testing::one;
using arms_testing::stage;
using arms_testing::start_of;

constexpr const char* kConvexMethods[] = {"lagged", "lagged-regularized", "similar", "sap"};
constexpr const char* kAllMethods[] = {"lagged", "lagged-regularized", "similar", "sap", "semi-implicit-euler", "rk4"};

struct Outcome {
  State state;
  Status status;
  StepWork work;
};

Outcome run(const std::string& name, const std::shared_ptr<const SystemList>& systems, State state, double h,
            int steps) {
  const Model& model = systems->model();
  const std::unique_ptr<Method> method = make_method(name, model, {.solver = {.tolerance = 1e-12}});
  method->set_systems(systems);
  const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
  Outcome out{std::move(state), {}, {}};
  State next;
  for (int i = 0; i < steps && out.status.ok(); ++i) {
    out.status = method->prepare(out.state, h, *prepared);
    if (out.status.ok()) out.status = method->advance(*prepared, h, next);
    if (!out.status.ok()) break;
    std::swap(out.state, next);
    out.work += method->work();
  }
  return out;
}

// m v1 = m v0 + h (kp (target - q0 - h v1) - kd v1), solved by hand, up to gains that make an explicit step explode.
TEST(Systems, PdIsImplicitEuler) {
  const Model model = compile(stage(1, 2.0));
  const double h = 0.01, q0 = 0.4, v0 = -1.5, target = 1;
  for (double gain : {1.0, 1e3, 1e9}) {
    const double kp = gain, kd = 0.3 * gain;
    const auto list =
        list_of(model, {std::make_shared<JointPD>(
                           model, JointControllerOptions{.kp = one(kp), .kd = one(kd), .target = one(target)})});
    State state = start_of(model, *list);
    state.q[0] = q0;
    state.v[0] = v0;
    const double v1 = (2 * v0 + h * kp * (target - q0)) / (2 + h * kd + h * h * kp);
    for (const char* name : kConvexMethods) {
      const Outcome out = run(name, list, state, h, 1);
      ASSERT_TRUE(out.status.ok()) << out.status.message;
      EXPECT_NEAR(out.state.v[0], v1, 1e-10 * std::abs(v1)) << name << ", gain " << gain;
      EXPECT_NEAR(out.state.q[0], q0 + h * v1, 1e-12);
    }
  }
}

// The same with the integral of the error as a state: three linear equations by hand.
TEST(Systems, PidIsImplicitEuler) {
  const Model model = compile(stage(1, 2.0));
  const double h = 0.01, q0 = 0.4, v0 = -1.5, z0 = 0.2, target = 1, kp = 300, ki = 5000, kd = 20;
  const auto list =
      list_of(model, {std::make_shared<JointPID>(
                         model, JointControllerOptions{.kp = one(kp), .kd = one(kd), .target = one(target)}, one(ki))});
  State state = start_of(model, *list);
  state.q[0] = q0;
  state.v[0] = v0;
  state.z[0] = z0;
  // Unknowns v1, q1, z1.
  const Matrix3d A{{2 + h * kd, h * kp, -h * ki}, {-h, 1, 0}, {0, h, 1}};
  const Vector3d x = A.partialPivLu().solve(Vector3d(2 * v0 + h * kp * target, q0, z0 + h * target));
  for (const char* name : kConvexMethods) {
    const Outcome out = run(name, list, state, h, 1);
    EXPECT_NEAR(out.state.v[0], x[0], 1e-11) << name;
    EXPECT_NEAR(out.state.q[0], x[1], 1e-13) << name;
    EXPECT_NEAR(out.state.z[0], x[2], 1e-13) << name;
  }
}

// A gain matrix that couples two joints of a tree, stiff enough that its diagonal alone would not hold it.
TEST(Systems, CoupledGainsAreImplicitEuler) {
  const Model model = compile(stage(2, 2.0));
  const MatrixXd K{{5e6, -4.9e6}, {-4.9e6, 5e6}}, D{{4e4, 3e4}, {3e4, 4e4}};
  const auto list = list_of(
      model, {std::make_shared<FunctionSystem>(SystemFunctions{
                 .output = [=](const SystemInput& in, VectorXd& tau) { tau -= K * in.state.q + D * in.state.v; }})});
  State state = start_of(model, *list);
  state.q << 0.3, -0.2;
  state.v << 1, 2;
  const double h = 0.01;
  // Both slides carry the second one's mass, along axes at right angles.
  const MatrixXd M{{4, 0}, {0, 2}};
  const VectorXd v1 = MatrixXd(M + h * D + h * h * K).ldlt().solve(M * state.v - h * K * state.q);
  const Outcome out = run("lagged", list, state, h, 1);
  EXPECT_LE((out.state.v - v1).norm(), 1e-6 * v1.norm());  // differences of forces of 1e6
}

// A feedback on every coordinate of a body that turns about a centre of mass off its origin: the node's own velocities
// must not show. By hand in the coordinates of State::v.
TEST(Systems, FreeBodiesFeelFeedbackInTheirOwnCoordinates) {
  Scene scene;
  forest_testing::Random random(3);
  forest_testing::add_body(scene, random, "body");
  const Model model = compile(scene);
  MatrixXd B = MatrixXd::NullaryExpr(6, 6, [&] { return random.uniform(-1, 1); });
  const MatrixXd D = 40 * B * B.transpose();
  const VectorXd f = random.vector_of(6);
  const auto list =
      list_of(model, {std::make_shared<FunctionSystem>(SystemFunctions{
                         .output = [=](const SystemInput& in, VectorXd& tau) { tau += f - D * in.state.v; },
                         .jacobians = [=](const SystemInput&, SystemJacobians& x) { x.g_v = -D; }})});
  State state = start_of(model, *list);
  state.v = random.vector_of(6);
  EquationsOfMotion equations(model);
  compute_equations_of_motion(model, state, equations);
  const MatrixXd M = dense_mass_matrix(model, equations.kinematics, equations.mass);
  const double h = 0.05;
  // What the bias turns with the body moves straight, and the origin follows it.
  const std::vector<int> links = find_off_center_links(model);
  ASSERT_EQ(links.size(), 1u);
  VectorXd force = f - equations.bias;
  add_turning_force(model, links, equations, force);
  const FreeTurns free_turns(model);
  free_turns.add_torque(state, -1, force);
  VectorXd v1 = MatrixXd(M + h * D).ldlt().solve(M * state.v + h * force), displacement = h * v1;
  const VectorXd solved = v1;
  free_turns.turn(h, displacement, v1);
  follow_centers(model, links, equations.kinematics, h, solved, displacement, v1);
  const Outcome out = run("lagged", list, state, h, 1);
  EXPECT_LE((out.state.v - v1).norm(), 1e-12);
}

// z' = -a z: stable at a h = 1e4, exact for implicit Euler, and first order.
TEST(Systems, StatesDecayWithoutOvershoot) {
  const Model model = compile(stage(1));
  const auto decay = [&](double a, bool implicit) {
    return list_of(model, {std::make_shared<FunctionSystem>(SystemFunctions{
                              .derivative = [a](const SystemInput& in, Eigen::Ref<VectorXd> zdot) { zdot = -a * in.z; },
                              .z0 = VectorXd{{1.0, -3.0}},
                              .implicit = implicit})});
  };
  const auto stiff = decay(1e6, true);
  const State stiff_end = run("lagged", stiff, start_of(model, *stiff), 0.01, 3).state;
  EXPECT_NEAR(stiff_end.z[1], -3 / std::pow(1 + 1e4, 3), 1e-13);
  const auto explicit_one = decay(1e6, false);
  EXPECT_GT(std::abs(run("lagged", explicit_one, start_of(model, *explicit_one), 0.01, 3).state.z[0]), 1e10);

  const auto slow = decay(2, true);
  const auto error = [&](const char* method, int steps) {
    return std::abs(run(method, slow, start_of(model, *slow), 1.0 / steps, steps).state.z[0] - std::exp(-2.0));
  };
  EXPECT_NEAR(std::log2(error("lagged", 100) / error("lagged", 200)), 1, 0.02);
  EXPECT_NEAR(std::log2(error("semi-implicit-euler", 100) / error("semi-implicit-euler", 200)), 1, 0.02);
  EXPECT_NEAR(std::log2(error("rk4", 40) / error("rk4", 80)), 4, 0.1);
}

// Position, velocity and the controller's state together: orders 1 and 4, on a floating arm.
TEST(Systems, MethodsKeepTheirOrder) {
  const Model model = compile(arm(true));
  const auto list =
      list_of(model, {std::make_shared<JointPID>(
                         model, JointControllerOptions{.kp = one(8), .kd = one(1), .target = one(0.4)}, one(3))});
  const auto distance = [&](const State& a, const State& b) {
    return step_testing::distance(model, a, b) + (a.z - b.z).norm();
  };
  const auto order = [&](const char* method, double duration, int n) {
    const auto end = [&](int steps) {
      return run(method, list, start_of(model, *list), duration / steps, steps).state;
    };
    const State coarse = end(n), medium = end(2 * n), fine = end(4 * n);
    return std::log2(distance(coarse, medium) / distance(medium, fine));
  };
  EXPECT_NEAR(order("lagged", 0.2, 200), 1, 0.1);
  EXPECT_NEAR(order("semi-implicit-euler", 0.2, 200), 1, 0.1);
  EXPECT_NEAR(order("rk4", 0.2, 200), 4, 0.3);
}

// How far from rest at its target an arm is that an inverse dynamics controller drove there with steps of 10 ms.
// Critically damped or slower: with kp = kd it takes exp(-t). Speeds count: one that exploded may pass its target.
double arm_error(double gain, bool implicit, bool differences, Status& status) {
  const Model model = compile(arm());
  const VectorXd target{{0.5, -0.4, 0.3, -1.2, 0.6, 0.8, -0.5}};
  const auto control = std::make_shared<InverseDynamicsControl>(
      model, JointControllerOptions{.kp = one(gain), .kd = one(gain), .target = target, .implicit = implicit});
  std::shared_ptr<const System> system = control;
  const std::shared_ptr<System::Scratch> scratch = control->make_scratch(model);
  if (differences) {
    system = std::make_shared<FunctionSystem>(SystemFunctions{
        .output = [=](const SystemInput& in, VectorXd& tau) { control->output(in, scratch.get(), tau); }});
  }
  const auto list = list_of(model, {system});
  const Outcome out = run("lagged", list, start_of(model, *list), 0.01, 1000);
  status = out.status;
  return std::max((out.state.q - target).cwiseAbs().maxCoeff(), out.state.v.cwiseAbs().maxCoeff());
}

// CENIC VII-D1: gains up to 1e8 at a step of 10 ms. exp(-10) of 1.2 rad is 5e-5.
TEST(Systems, StiffInverseDynamicsIsStableImplicitly) {
  for (double gain : {1e2, 1e4, 1e6, 1e8}) {
    Status status;
    EXPECT_LE(arm_error(gain, true, false, status), 1e-3) << gain;
    EXPECT_TRUE(status.ok()) << gain << ": " << status.message;
    EXPECT_LE(arm_error(gain, true, true, status), 1e-3) << gain << ", by differences";
    EXPECT_TRUE(status.ok()) << gain << ": " << status.message;
  }
}

// Taken at the start of the step they explode as soon as kd h > 2.
TEST(Systems, StiffInverseDynamicsExplodesExplicitly) {
  for (double gain : {1e4, 1e6, 1e8}) {
    Status status;
    const double error = arm_error(gain, false, false, status);
    EXPECT_TRUE(!status.ok() || !(error < 1)) << gain << ": " << error;
  }
}

// A controller at its limit gives exactly that.
TEST(Systems, EffortLimitsBind) {
  const Model model = compile(stage(2, 2.0));
  const auto list = list_of(
      model, {std::make_shared<JointPD>(model, JointControllerOptions{.kp = one(1e6),
                                                                      .kd = one(1e3),
                                                                      .target = VectorXd{{1, -1}},
                                                                      .effort_limit = VectorXd{{8, kInfinity}}})});
  for (const char* name : kAllMethods) {
    const double h = std::string(name) == "rk4" || std::string(name) == "semi-implicit-euler" ? 1e-5 : 0.01;
    const Outcome out = run(name, list, start_of(model, *list), h, 3);
    ASSERT_TRUE(out.status.ok()) << out.status.message;
    EXPECT_NEAR(out.state.v[0], 3 * h * 8 / 4, 1e-9) << name;  // it carries both masses
  }
  // Near the target it is within its limit, and rests there.
  State near = start_of(model, *list);
  near.q << 1 + 1e-9, -1;
  const Outcome out = run("lagged", list, near, 0.01, 200);
  EXPECT_LE(std::abs(out.state.q[0] - 1), 1e-12);
}

TEST(Systems, ABrokenControllerIsNamedByEveryMethod) {
  const Model model = compile(stage(1));
  const auto list = list_of(model, {std::make_shared<FunctionSystem>(SystemFunctions{
                                       .name = "broken", .output = [](const SystemInput& in, VectorXd& tau) {
                                         if (in.time() > 0.0455) tau[0] = std::numeric_limits<double>::quiet_NaN();
                                       }})});
  for (const char* name : kAllMethods) {
    const Outcome out = run(name, list, start_of(model, *list), 0.01, 20);
    EXPECT_EQ(out.status.code, StatusCode::kNotFinite) << name;
    EXPECT_NE(out.status.message.find("the output of system 'broken'"), std::string::npos) << out.status.message;
    EXPECT_NEAR(out.state.time, std::string(name) == "rk4" ? 0.04 : 0.05, 1e-12) << name;
  }
}

TEST(Systems, AStateWithoutBoundsIsNamed) {
  const Model model = compile(stage(1));
  const auto list =
      list_of(model, {std::make_shared<FunctionSystem>(SystemFunctions{
                         .name = "runaway",
                         .derivative = [](const SystemInput& in, Eigen::Ref<VectorXd> zdot) { zdot = 5 * in.z; },
                         .z0 = one(1)})});
  for (const char* name : kAllMethods) {
    const Outcome out = run(name, list, start_of(model, *list), 0.1, 2500);
    EXPECT_EQ(out.status.code, StatusCode::kNotFinite) << name;
    EXPECT_NE(out.status.message.find("'runaway'"), std::string::npos) << out.status.message;
  }
}

// What a controller does is actuators' work, and all that is done: kinetic energy says how much.
TEST(Systems, WorkIsTheChangeOfKineticEnergy) {
  const Model model = compile(stage(3));
  for (const VectorXd& limits : {VectorXd(), VectorXd::Constant(1, 5.0).eval()}) {
    const auto list = list_of(
        model,
        {std::make_shared<JointPD>(
            model, JointControllerOptions{
                       .kp = one(1e3), .kd = one(10), .target = VectorXd{{0.3, -0.2, 0.1}}, .effort_limit = limits})});
    State state = start_of(model, *list);
    state.v << 1, -2, 0.5;
    const Outcome out = run("lagged", list, state, 0.01, 7);
    const double change = step_testing::total_energy(model, out.state) - step_testing::total_energy(model, state);
    EXPECT_NEAR(out.work.actuators, change, 1e-9);
    EXPECT_NEAR(out.work.internal, change, 1e-9);
  }
}

// The target's own speed is known at the end of the step: no lag behind a ramp, however stiff.
TEST(Systems, ReplayFollowsARampWithoutLag) {
  const Model model = compile(stage(1));
  const auto list =
      list_of(model, {std::make_shared<TrajectoryReplay>(model, JointControllerOptions{.kp = one(1e7), .kd = one(1e5)},
                                                         VectorXd{{0, 10}}, MatrixXd{{0.0}, {5.0}})});
  State state = start_of(model, *list);
  state.v[0] = 0.5;
  const Outcome out = run("lagged", list, state, 0.01, 100);
  EXPECT_NEAR(out.state.q[0], 0.5, 1e-9);
}

}  // namespace
}  // namespace stickslip
