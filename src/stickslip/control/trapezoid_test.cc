#include "stickslip/control/trapezoid.h"

#include <cmath>
#include <numbers>

#include "stickslip/control/control_testing.h"
#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using control_testing::ball_on_floor;
using step_testing::distance;
using step_testing::oscillator;
using step_testing::total_energy;

constexpr double kGravity = 9.81;
constexpr double kOrderSpread = 0.15;  // refinements by two still see the next term of the error

StepperOptions fixed(double h, const std::string& method = "cenic-trapezoid") {
  return {.method = method, .time_step = h, .solver_tolerance = 1e-12};
}

// A run that must succeed.
template <typename Visit>
control_testing::Run run(const Model& model, const StepperOptions& options, const State& start, double end,
                         Visit&& visit) {
  const control_testing::Run out = control_testing::run(model, options, end, start, visit);
  EXPECT_TRUE(out.status.ok()) << out.status.message;
  return out;
}

control_testing::Run run(const Model& model, const StepperOptions& options, const State& start, double end) {
  return run(model, options, start, end, [](const State&) {});
}

// log2 of the ratio of two successive refinements, which needs no reference solution.
double observed_order(const Model& model, const State& start, double duration, int count) {
  const auto end = [&](int n) { return run(model, fixed(duration / n), start, duration).state; };
  const State coarse = end(count), medium = end(2 * count), fine = end(4 * count);
  return std::log2(distance(model, coarse, medium) / distance(model, medium, fine));
}

// Joint springs and damping act at both ends of the step: x = e^{-zt}(a cos wt + b sin wt) to second order.
TEST(Trapezoid, DampedOscillatorConvergesToTheClosedForm) {
  const double k = 200, c = 3, m = 2, t = 1;
  const Model model = oscillator(k, c, m);
  const double z = c / (2 * m), w = std::sqrt(k / m - z * z), a = 0.4, b = (1 + z * a) / w;
  const double exact = std::exp(-z * t) * (a * std::cos(w * t) + b * std::sin(w * t));
  const auto error = [&](double h) {
    return std::abs(run(model, fixed(h), initial_state(model), t).state.q[0] - exact);
  };
  const double coarse = error(2e-3), fine = error(1e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, kOrderSpread);
}

// However stiff, an undamped spring neither gains nor loses: the step's matrix has the determinant 1 and a trace below
// 2, for any h.
TEST(Trapezoid, StiffSpringNeitherGrowsNorDecays) {
  const Model model = oscillator(1e8, 0, 2);
  double largest = 0;
  run(model, fixed(1e-2), initial_state(model), 10,
      [&](const State& s) { largest = std::max(largest, std::abs(s.q[0])); });
  EXPECT_LE(largest, 0.4 + 1e-2);  // the start, and the first step of 1 cm
}

Model racket(const Vector3d& center) {
  Scene scene;
  scene.bodies.push_back({.name = "racket", .inertia = {1, center, Vector3d(1, 2, 3).asDiagonal()}});
  scene.bodies[0].angular_velocity = {1, 2, -0.5};
  scene.bodies[0].linear_velocity = {0.1, 0.2, 3};
  return compile(scene);
}

// Free bodies tumble to second order, wherever their origin is; their centre of mass flies in the exact parabola.
TEST(Trapezoid, FreeFlightIsOfSecondOrder) {
  for (const Vector3d& center : {Vector3d(0, 0, 0), Vector3d(0.3, -0.2, 0.5)}) {
    const Model model = racket(center);
    const State start = initial_state(model);
    EXPECT_NEAR(observed_order(model, start, 1, 100), 2, kOrderSpread);
    const Momentum before = momentum(model, step_testing::kinematics_of(model, start));
    const State end = run(model, fixed(1e-2), start, 1).state;
    const Momentum after = momentum(model, step_testing::kinematics_of(model, end));
    const Vector3d expected = before.center + before.linear / before.mass + 0.5 * model.gravity;
    EXPECT_LE((after.center - expected).norm(), 1e-10);  // round-off of 100 steps
  }
}

// Articulated trees with every kind of joint, springs and dampers.
TEST(Trapezoid, ForestIsOfSecondOrder) {
  const Model model = compile(forest_testing::forest(3, {.prescribed = false, .forces = true}));
  State start = initial_state(model);
  forest_testing::Random random(4);
  start.v = random.vector_of(model.nv);
  const double order = observed_order(model, start, 0.2, 80);
  EXPECT_NEAR(order, 2, kOrderSpread);
}

// C7: 0.1 kg dropped from 1 m on a floor that takes no energy.
constexpr double kMass = 0.1, kStiffness = 1e3, kRadius = 0.05;

Model bouncing_ball() { return ball_on_floor(1 + kRadius, kStiffness, 0); }

// With what the floor stores; zero at rest on it.
double ball_energy(const State& state) {
  const double height = state.q[2] - kRadius, depth = std::min(0.0, height), v = state.v[2];
  return 0.5 * kMass * v * v + kMass * kGravity * height + 0.5 * kStiffness * depth * depth;
}

// Root mean square of the relative error after one bounce, over many drops: where in a step the ball touches the floor
// and where it leaves it decides much of it, so both the height and the step vary by some per cent.
double bounce_error(const std::string& method, double h) {
  const Model model = bouncing_ball();
  constexpr int kDrops = 64;
  double sum = 0;
  for (int i = 0; i < kDrops; ++i) {
    State start = initial_state(model);
    start.q[2] += 1e-3 * i;
    const double step = h * (0.95 + 0.1 * std::fmod(i * std::numbers::phi, 1));
    const double error = ball_energy(run(model, fixed(step, method), start, 0.6).state) / ball_energy(start) - 1;
    sum += error * error;
  }
  return std::sqrt(sum / kDrops);
}

// The published step doubling is of first order.   CENIC, figure 8
TEST(Trapezoid, BouncingBallKeepsEnergyToSecondOrder) {
  const double coarse = bounce_error("cenic-trapezoid", 1e-3), fine = bounce_error("cenic-trapezoid", 2.5e-4);
  EXPECT_LE(coarse, 2e-3);
  EXPECT_NEAR(0.5 * std::log2(coarse / fine), 2, 0.3);  // 64 drops are a small sample
  const double doubled = bounce_error("cenic-paper", 1e-3), halved = bounce_error("cenic-paper", 2.5e-4);
  EXPECT_NEAR(0.5 * std::log2(doubled / halved), 1, 0.3);
  EXPECT_GE(doubled, 50 * coarse);
}

// Steps are short at touch-down, where the error is seen, and longer at lift-off: the ball gains.
TEST(Trapezoid, ErrorControlBoundsTheEnergyOfTheBouncingBall) {
  const Model model = bouncing_ball();
  const State start = initial_state(model);
  const auto course = [&](double accuracy) {
    return run(model, {.method = "cenic-trapezoid", .accuracy = accuracy}, start, 10);
  };
  const control_testing::Run loose = course(1e-3), tight = course(1e-5);
  EXPECT_NEAR(ball_energy(loose.state) / ball_energy(start), 1, 0.3);
  EXPECT_NEAR(ball_energy(tight.state) / ball_energy(start), 1, 0.01);
  EXPECT_GE(tight.steps, 5 * loose.steps);
  // What contact gave is what the ball has more than at the start, in the air.
  EXPECT_NEAR(tight.work.contact, ball_energy(tight.state) - ball_energy(start), 1e-6);
}

constexpr double kFriction = 0.5;

Model sliding_box() {
  constexpr double kBoxStiffness = 1e5;
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.materials.push_back({.name = "box", .stiffness = kBoxStiffness});
  scene.materials.push_back({.name = "rigid", .stiffness = kInfinity});
  scene.bodies.push_back({.name = "box", .inertia = {1, Vector3d::Zero(), 2e-3 * Matrix3d::Identity()}});
  scene.bodies[0].pose.position.z() = 0.05 - kGravity / kBoxStiffness;
  scene.bodies[0].linear_velocity = {1, 0, 0};
  scene.bodies[0].geometry.push_back({.shape = Box{{0.2, 0.2, 0.1}}, .material = "box"});
  scene.bodies.push_back({.name = "floor", .fixed = true, .geometry = {{.shape = HalfSpace{}, .material = "rigid"}}});
  return compile(scene);
}

// A box slows down at mu g and stops after v^2/(2 mu g), but for what tilts it when friction sets in, of order 1e-4.
TEST(Trapezoid, SlidingBoxStopsWhereFrictionSays) {
  const Model model = sliding_box();
  const State start = initial_state(model);
  const double way = 1 / (2 * kFriction * kGravity);
  EXPECT_NEAR(run(model, fixed(1e-3), start, 0.1).state.v[0], 1 - kFriction * kGravity * 0.1, 1e-4);
  EXPECT_NEAR(run(model, fixed(1e-3), start, 0.4).state.q[0], way, 1e-4);
  EXPECT_NEAR(run(model, {.method = "cenic-trapezoid", .accuracy = 1e-3}, start, 1).state.q[0], way, 1e-3);
  EXPECT_NEAR(run(model, {.method = "cenic-trapezoid", .accuracy = 1e-5}, start, 1).state.q[0], way, 1e-4);
}

// What is reported is the force at the end of the step, not the half of it that counts.
TEST(Trapezoid, ContactForcesCarryTheWeight) {
  const Model model = sliding_box();
  const std::unique_ptr<Stepper> stepper = make_stepper(fixed(1e-3), model);
  State state = initial_state(model), next;
  StepRecord record;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(stepper->step(state, 1, next, record).ok());
    std::swap(state, next);
  }
  std::vector<ContactResult> contacts;
  stepper->method().read_contacts(contacts);
  double weight = 0;
  for (const ContactResult& contact : contacts) weight += std::abs(contact.force.z());
  EXPECT_NEAR(weight, kGravity, 1e-3);  // what is left of its landing
}

// An arm that runs into its limit comes back as fast as another method says.
TEST(Trapezoid, JointLimitSendsBack) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "arm", .inertia = {1, {1, 0, 0}, 0.1 * Matrix3d::Identity()}});
  scene.joints.push_back({.name = "hinge", .child = "arm", .velocity = {2}, .limits = {-1, 1}});
  const Model model = compile(scene);
  const State start = initial_state(model);
  const auto end = [&](const char* method) { return run(model, {.method = method, .accuracy = 1e-5}, start, 1).state; };
  EXPECT_NEAR(end("cenic-trapezoid").v[0], end("cenic").v[0], 0.02);
}

// Stiff constraints would oscillate with the sign of the step's parity if they acted at both ends. They act at the end
// alone, along the mean of their directions, which keeps the order.
TEST(Trapezoid, TetherHoldsAndKeepsEnergyToSecondOrder) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.bodies.push_back({.name = "bob", .inertia = {2, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}});
  scene.bodies[0].pose.position.x() = 1;
  scene.constraints.push_back({.name = "rope", .kind = Constraint::Kind::kDistance, .body_b = "bob", .length = 1});
  const Model model = compile(scene);
  const State start = initial_state(model);
  struct Error {
    double gap = 0, energy = 0;
  };
  const auto errors = [&](const StepperOptions& options) {
    Error out;
    const auto look = [&](const State& s) { out.gap = std::max(out.gap, std::abs(s.q.head<3>().norm() - 1)); };
    const State end = run(model, options, start, 1, look).state;
    out.energy = std::abs(total_energy(model, end) - total_energy(model, start));
    return out;
  };
  const Error coarse = errors(fixed(4e-3)), fine = errors(fixed(1e-3));
  EXPECT_NEAR(0.5 * std::log2(coarse.gap / fine.gap), 2, kOrderSpread);
  EXPECT_GE(0.5 * std::log2(coarse.energy / fine.energy), 2 - kOrderSpread);
  const Error controlled = errors({.method = "cenic-trapezoid", .accuracy = 1e-3});
  EXPECT_LE(controlled.gap, 5e-3);
  EXPECT_LE(controlled.energy, 1e-2);  // of 20 J that went through
}

// Boxes of 1 kg, a centimetre apart above each other and the floor.
Model falling_stack(int count, double stiffness) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.materials.push_back({.name = "hard", .stiffness = stiffness});
  for (int i = 0; i < count; ++i) {
    Body box{.name = fmt::format("box_{}", i), .inertia = {1, Vector3d::Zero(), 1.0 / 600 * Matrix3d::Identity()}};
    box.pose.position.z() = 0.06 + 0.11 * i;
    box.geometry.push_back({.shape = Box{Vector3d::Constant(0.1)}, .material = "hard"});
    scene.bodies.push_back(box);
  }
  scene.bodies.push_back({.name = "floor", .fixed = true, .geometry = {{.shape = HalfSpace{}, .material = "hard"}}});
  return compile(scene);
}

// Contacts stiffer than steps can tell act at the end of them: what has landed comes to rest, however loose the
// accuracy, in steps as long as they may be. At both ends it hopped, and stiff stacks fell.
TEST(Trapezoid, StiffStackLandsAndRests) {
  constexpr int kBoxes = 5;
  for (const double accuracy : {1e-1, 1e-3}) {
    for (const double stiffness : {1e5, 1e7}) {
      SCOPED_TRACE(fmt::format("accuracy {}, stiffness {}", accuracy, stiffness));
      const Model model = falling_stack(kBoxes, stiffness);
      const StepperOptions options{.method = "cenic-trapezoid", .accuracy = accuracy};
      const control_testing::Run landed = run(model, options, initial_state(model), 2);
      EXPECT_LE(landed.steps + landed.rejected, 200);
      double fastest = 0;
      const control_testing::Run rested =
          run(model, options, landed.state, 5, [&](const State& s) { fastest = std::max(fastest, s.v.norm()); });
      // Solves end at a thousandth of the accuracy, relative to the impulses: the weight's over the longest step.
      EXPECT_LE(fastest, 5e-3 * accuracy * kBoxes * kGravity * 0.1);
      EXPECT_LE(rested.steps, 3 / 0.1 + 1);  // the longest step
      // The lowest contact carries five boxes, the highest one; each side of it gives way as if alone.
      const double sunk = kGravity * (5 + 4 + 3 + 2 + 1) / (0.5 * stiffness);
      EXPECT_NEAR(rested.state.q[7 * (kBoxes - 1) + 2], 0.45 - sunk, 1e-6);
    }
  }
}

// Limits and servos are no different.
TEST(Trapezoid, ArmRestsOnItsLimitAndUnderAStiffServo) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.bodies.push_back({.name = "arm", .inertia = {1, {0.5, 0, 0}, 0.1 * Matrix3d::Identity()}});
  scene.joints.push_back({.name = "hinge", .child = "arm", .axis = {0, 1, 0}, .position = {-0.1}, .limits = {-1, 0.2}});
  const auto moves = [](const Model& model) {
    const StepperOptions options{.method = "cenic-trapezoid", .accuracy = 1e-2};
    const State later = run(model, options, initial_state(model), 3).state;
    double fastest = 0;
    run(model, options, later, 5, [&](const State& s) { fastest = std::max(fastest, std::abs(s.v[0])); });
    return fastest;
  };
  constexpr double kSolved = 5e-5;  // as above: the weight alone turns the arm by 1.4 rad/s in the longest step
  EXPECT_LE(moves(compile(scene)), kSolved);
  scene.actuators.push_back(
      {.name = "servo", .type = "position", .joint = "hinge", .gain = {1e6, 0, 0}, .bias = {0, -1e6, -10}});
  EXPECT_LE(moves(compile(scene)), kSolved);
}

}  // namespace
}  // namespace stickslip
