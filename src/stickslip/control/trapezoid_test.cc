#include "stickslip/control/trapezoid.h"

#include <cmath>
#include <numbers>

#include "stickslip/control/control_testing.h"
#include "stickslip/dynamics/forest_state_testing.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using control_testing::run;
using control_testing::Run;
using step_testing::distance;
using step_testing::total_energy;

constexpr double kGravity = 9.81;
constexpr double kOrderSpread = 0.15;  // refinements by two still see the next term of the error

StepperOptions fixed(double h, const std::string& method = "cenic-trapezoid") {
  return {.method = method, .time_step = h, .solver_tolerance = 1e-12};
}

// log2 of the ratio of two successive refinements, which needs no reference solution.
double observed_order(const Model& model, const State& start, double duration, int count) {
  const auto end = [&](int n) { return run(model, fixed(duration / n), start, duration).state; };
  const State coarse = end(count), medium = end(2 * count), fine = end(4 * count);
  return std::log2(distance(model, coarse, medium) / distance(model, medium, fine));
}

Model oscillator(double stiffness, double damping, double mass) {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "cart", .inertia = {mass, Vector3d::Zero(), Matrix3d::Identity()}});
  scene.joints.push_back({.name = "rail",
                          .type = JointType::kPrismatic,
                          .child = "cart",
                          .axis = Vector3d::UnitX(),
                          .position = {0.4},
                          .velocity = {1},
                          .damping = damping,
                          .stiffness = stiffness});
  return compile(scene);
}

// Joint springs and damping act at both ends of the step: x = e^{-zt}(a cos wt + b sin wt) to second order.
TEST(Trapezoid, DampedOscillatorConvergesToTheClosedForm) {
  const double k = 200, c = 3, m = 2, t = 1;
  const Model model = oscillator(k, c, m);
  const double z = c / (2 * m), w = std::sqrt(k / m - z * z), a = 0.4, b = (1 + z * a) / w;
  const double exact = std::exp(-z * t) * (a * std::cos(w * t) + b * std::sin(w * t));
  const auto error = [&](double h) { return std::abs(run(model, fixed(h), initial_state(model), t).state.q[0] - exact); };
  const double coarse = error(2e-3), fine = error(1e-3);
  printf("oscillator %g %g order %g\n", coarse, fine, std::log2(coarse / fine));
  EXPECT_NEAR(std::log2(coarse / fine), 2, kOrderSpread);
}

// However stiff, an undamped spring neither gains nor loses: the step's matrix has the determinant 1 and a trace below
// 2, for any h.
TEST(Trapezoid, StiffSpringNeitherGrowsNorDecays) {
  const Model model = oscillator(1e8, 0, 2);
  double largest = 0;
  run(model, fixed(1e-2), initial_state(model), 10, [&](const State& s) { largest = std::max(largest, std::abs(s.q[0])); });
  printf("stiff spring largest %g\n", largest);
  EXPECT_LE(largest, 0.5);
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
    printf("racket order %g\n", observed_order(model, start, 1, 100));
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
  printf("forest order %g\n", order);
  EXPECT_NEAR(order, 2, 0.3);
}

constexpr double kStiffness = 1e3;

// C7: 0.1 kg dropped from 1 m on a floor that takes no energy.
Model bouncing_ball() {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.materials = {{.name = "soft", .stiffness = kStiffness, .dissipation = 0, .static_friction = 0, .dynamic_friction = 0},
                     {.name = "rigid", .stiffness = kInfinity, .dissipation = 0, .static_friction = 0, .dynamic_friction = 0}};
  scene.bodies.push_back({.name = "ball", .inertia = {0.1, Vector3d::Zero(), 1e-4 * Matrix3d::Identity()}});
  scene.bodies[0].pose.position.z() = 1.05;
  scene.bodies[0].geometry.push_back({.shape = Sphere{0.05}, .material = "soft"});
  scene.bodies.push_back({.name = "floor", .fixed = true, .geometry = {{.shape = HalfSpace{}, .material = "rigid"}}});
  return compile(scene);
}

// With the energy of the compressed floor; zero at rest on it.
double ball_energy(const Model& model, const State& state) {
  const double height = state.q[2] - 0.05, depth = std::min(0.0, height);
  (void)model;
  return 0.05 * state.v[2] * state.v[2] + 0.1 * kGravity * height + 0.5 * kStiffness * depth * depth;
}

double energy_error(const std::string& method, double h, double duration) {
  const Model model = bouncing_ball();
  const State start = initial_state(model);
  const State end = run(model, fixed(h, method), start, duration).state;
  return ball_energy(model, end) / ball_energy(model, start) - 1;
}

// Over 11 bounces.   CENIC, figure 8
TEST(Trapezoid, BouncingBallKeepsEnergyToSecondOrder) {
  for (const char* m : {"cenic-trapezoid", "cenic-paper", "cenic", "lagged"})
    for (double h : {4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4}) printf("ball %s %g %g\n", m, h, energy_error(m, h, 10));
}

TEST(Trapezoid, BouncingBallUnderErrorControl) {
  const Model model = bouncing_ball();
  const State start = initial_state(model);
  for (const char* m : {"cenic-trapezoid", "cenic-paper", "cenic"}) {
    for (double accuracy : {1e-3, 1e-5}) {
      const Run out = run(model, {.method = m, .accuracy = accuracy}, start, 10);
      printf("C7 %s %g steps %d rejected %d energy %g  work %g\n", m, accuracy, out.steps, out.rejected,
             ball_energy(model, out.state) / ball_energy(model, start) - 1, out.work.contact);
    }
  }
}

Model sliding_box(double speed, double mu) {
  Scene scene;
  scene.gravity = {0, 0, -kGravity};
  scene.materials = {{.name = "m", .stiffness = 1e5, .dissipation = 10, .static_friction = mu, .dynamic_friction = mu},
                     {.name = "rigid", .stiffness = kInfinity, .static_friction = mu, .dynamic_friction = mu}};
  scene.bodies.push_back({.name = "box", .inertia = {1, Vector3d::Zero(), 2e-3 * Matrix3d::Identity()}});
  scene.bodies[0].pose.position.z() = 0.05 - kGravity / 1e5;
  scene.bodies[0].linear_velocity = {speed, 0, 0};
  scene.bodies[0].geometry.push_back({.shape = Box{{0.2, 0.2, 0.1}}, .material = "m"});
  scene.bodies.push_back({.name = "floor", .fixed = true, .geometry = {{.shape = HalfSpace{}, .material = "rigid"}}});
  return compile(scene);
}

// A box slows down at mu g and stops after v^2/(2 mu g).
TEST(Trapezoid, SlidingBoxStopsWhereFrictionSays) {
  const Model model = sliding_box(1, 0.5);
  for (double h : {2e-3, 1e-3, 5e-4}) {
    const State slow = run(model, fixed(h), initial_state(model), 0.1).state, end = run(model, fixed(h), initial_state(model), 0.4).state;
    printf("box %g v %.10g (%.10g) x %.10g (%.10g) v end %g\n", h, slow.v[0], 1 - 0.5 * kGravity * 0.1, end.q[0], 1 / kGravity, end.v[0]);
  }
  for (const char* m : {"cenic-trapezoid", "cenic-paper", "cenic"}) {
    for (double accuracy : {1e-3, 1e-5}) {
      const Run out = run(model, {.method = m, .accuracy = accuracy}, initial_state(model), 1);
      printf("box %s %g steps %d rejected %d x %g v %g\n", m, accuracy, out.steps, out.rejected, out.state.q[0], out.state.v[0]);
    }
  }
}

Model limited_arm() {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "arm", .inertia = {1, {1, 0, 0}, 0.1 * Matrix3d::Identity()}});
  scene.joints.push_back({.name = "hinge", .child = "arm", .velocity = {2}, .limits = {-1, 1}});
  return compile(scene);
}

// An arm runs into its limit and stays within reach of it.
TEST(Trapezoid, JointLimitHolds) {
  const Model model = limited_arm();
  for (const char* m : {"cenic-trapezoid", "cenic-paper", "cenic"}) {
    for (double accuracy : {1e-3, 1e-5}) {
      double largest = 0;
      const Run out = run(model, {.method = m, .accuracy = accuracy}, initial_state(model), 1, [&](const State& s) { largest = std::max(largest, s.q[0]); });
      printf("limit %s %g steps %d rejected %d largest %g q %g v %g\n", m, accuracy, out.steps, out.rejected, largest, out.state.q[0], out.state.v[0]);
    }
  }
}

}  // namespace
}  // namespace stickslip
