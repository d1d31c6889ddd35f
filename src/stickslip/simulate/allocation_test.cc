#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <new>

#include "stickslip/base/allocation_testing.h"
#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/model/forest_testing.h"
#include "stickslip/simulate/simulator.h"
#include "stickslip/step/heap_testing.h"
#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/gravity_compensation.h"
#include "stickslip/systems/inverse_dynamics_control.h"
#include "stickslip/systems/joint_pd.h"
#include "stickslip/systems/joint_pid.h"

namespace stickslip {
namespace {

using allocation_testing::allocation_count;
using forest_testing::forest;

constexpr int kSteps = 100;

// The counter sees operator new, aligned operator new, and Eigen's vectors: else the tests below could not fail.
TEST(Allocation, CounterSeesEveryKindOfAllocation) {
  const auto counted = [](auto&& allocate) {
    const std::size_t before = allocation_count;
    allocate();
    return allocation_count - before;
  };
  static void* volatile keep;  // so that no allocation is optimised away
  EXPECT_EQ(counted([] {
              keep = ::operator new(64);
              ::operator delete(keep);
            }),
            1u);
  EXPECT_EQ(counted([] {
              keep = ::operator new(64, std::align_val_t(64));
              ::operator delete(keep, std::align_val_t(64));
            }),
            1u);
  EXPECT_EQ(counted([] {
              VectorXd x(17);
              keep = x.data();
            }),
            1u);
}

// After a few steps for the memory to take its sizes, steps allocate nothing; nor does the same run from the start.
TEST(Allocation, StepsAllocateNothingAfterWarmUp) {
  const auto model = std::make_shared<const Model>(compile(forest(1, {.forces = true})));
  for (const char* method : {"semi-implicit-euler", "rk4"}) {
    Simulator sim(model, {.method = method, .time_step = 1e-3});
    const auto run = [&] {
      bool ok = true;
      for (int i = 0; i < kSteps; ++i) ok = ok && sim.step().ok();
      return ok;
    };
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(sim.step().ok());
    std::size_t before = allocation_count;
    ASSERT_TRUE(run());
    EXPECT_EQ(allocation_count - before, 0u) << method;

    sim.reset();
    before = allocation_count;
    ASSERT_TRUE(run());
    EXPECT_EQ(allocation_count - before, 0u) << method << ", the second run";
  }
}

// Contact, joint limits and dry friction allocate nothing either, once the heap has had its largest number of contacts.
TEST(Allocation, ConvexStepsAllocateNothingTheSecondTime) {
  for (const Scene& scene : {heap_testing::heap(), heap_testing::chain_on_floor()}) {
    const auto model = std::make_shared<const Model>(compile(scene));
    for (const char* method :
         {"cenic", "cenic-paper", "cenic-trapezoid", "lagged", "anchored", "lagged-regularized", "similar", "sap"}) {
      SimulatorOptions options{.method = method};
      if (!has_error_control(method)) options.time_step = 2e-3;
      Simulator sim(model, options);
      const auto run = [&] {
        bool ok = true;
        for (int i = 0; i < kSteps; ++i) ok = ok && sim.step().ok();
        return ok;
      };
      ASSERT_TRUE(run());
      sim.reset();
      const std::size_t before = allocation_count;
      ASSERT_TRUE(run());
      EXPECT_EQ(allocation_count - before, 0u) << method;
    }
  }
}

// Nor do the parts of large islands that are solved on their own.
TEST(Allocation, LocalSolvesAllocateNothingTheSecondTime) {
  const auto model = std::make_shared<const Model>(compile(heap_testing::carpet()));
  for (const char* method : {"lagged", "anchored"}) {
    Simulator sim(model, {.method = method, .time_step = 2e-3});
    const auto run = [&] {
      bool ok = true;
      for (int i = 0; i < kSteps; ++i) ok = ok && sim.step().ok();
      return ok;
    };
    ASSERT_TRUE(run());
    EXPECT_GT(sim.report().local_iterations, 0);
    sim.reset();
    const std::size_t before = allocation_count;
    ASSERT_TRUE(run());
    EXPECT_EQ(allocation_count - before, 0u) << method;
  }
}

// External systems are asked, differenced, linearised and advanced in memory that is there.
TEST(Allocation, ExternalSystemsAllocateNothingAfterWarmUp) {
  const auto model = std::make_shared<const Model>(compile(arms_testing::arm(true)));
  const auto one = arms_testing::one;
  for (const char* method : {"lagged", "rk4", "semi-implicit-euler"}) {
    Simulator sim(model, {.method = method, .time_step = 1e-4});
    const JointControllerOptions gains{.kp = one(50), .kd = one(5), .target = one(0.2)};
    JointControllerOptions limited = gains;
    limited.effort_limit = one(3);
    sim.add(std::make_shared<JointPID>(*model, gains, one(7)));
    sim.add(std::make_shared<JointPD>(*model, limited));
    sim.add(std::make_shared<InverseDynamicsControl>(*model, gains));
    sim.add(std::make_shared<GravityCompensation>(*model));
    // Differenced, and far from positive.
    sim.add(std::make_shared<FunctionSystem>(SystemFunctions{
        .output =
            [](const SystemInput& in, VectorXd& tau) {
              for (int i = 1; i < in.model.nv; ++i) tau[i] += 3 * in.state.v[i - 1] - in.z[0];
            },
        .derivative = [](const SystemInput& in, Eigen::Ref<VectorXd> zdot) { zdot[0] = in.state.v[2] - in.z[0]; },
        .z0 = one(1)}));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(sim.step().ok());
    sim.reset();
    const std::size_t before = allocation_count;
    bool ok = true;
    for (int i = 0; i < kSteps; ++i) ok = ok && sim.step().ok();
    EXPECT_TRUE(ok);
    EXPECT_EQ(allocation_count - before, 0u) << method;
  }
}

// Going back to the start or to a saved state allocates nothing either: a second identical run is free of it whole.
TEST(Allocation, ResetAndRestoreAllocateNothing) {
  Simulator sim(compile(forest(2, {.forces = true})), {.method = "rk4", .time_step = 1e-3});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(sim.step().ok());
  const State saved = sim.state();
  sim.reset();
  std::size_t before = allocation_count;
  sim.reset();
  EXPECT_EQ(allocation_count - before, 0u);
  before = allocation_count;
  sim.set_state(saved);
  EXPECT_EQ(allocation_count - before, 0u);
}

// Writes between steps, and questions, allocate nothing.
TEST(Allocation, WritesAndQueriesAllocateNothing) {
  Simulator sim(compile(forest(3, {.forces = true})), {.method = "rk4", .time_step = 1e-3});
  const auto use = [&] {
    sim.state().v[0] += 0.1;
    const bool ok = sim.step().ok();
    return ok && std::isfinite(sim.kinetic_energy() + sim.potential_energy() + sim.body_pose(1).position.x());
  };
  ASSERT_TRUE(use());
  const std::size_t before = allocation_count;
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(use());
  EXPECT_EQ(allocation_count - before, 0u);
}

// advance_to, with awkward last steps, allocates nothing.
TEST(Allocation, AdvanceToAllocatesNothing) {
  Simulator sim(compile(forest(4, {.forces = true})), {.method = "rk4", .time_step = 1e-3});
  ASSERT_TRUE(sim.advance_to(0.005).ok());
  const std::size_t before = allocation_count;
  const bool ok = sim.advance_to(0.0333).ok();
  EXPECT_EQ(allocation_count - before, 0u);
  EXPECT_TRUE(ok);
}

// The equations of motion are computed in memory of their own.
TEST(Allocation, EquationsOfMotionAllocateNothingTheSecondTime) {
  const Model model = compile(forest(5));
  const State state = initial_state(model);
  EquationsOfMotion equations(model);
  compute_equations_of_motion(model, state, equations);
  const std::size_t before = allocation_count;
  compute_equations_of_motion(model, state, equations);
  EXPECT_EQ(allocation_count - before, 0u);
}

// A pile that settles and moves: the second time the same contacts are found nothing is allocated.
TEST(Allocation, ContactsAllocateNothingAfterWarmUp) {
  Scene scene;
  Geometry floor;
  floor.shape = HalfSpace{};
  scene.world_geometry.push_back(floor);
  for (int i = 0; i < 30; ++i) {
    Body body;
    body.name = "body_" + std::to_string(i);
    body.inertia = {1, Vector3d::Zero(), 1e-3 * Matrix3d::Identity()};
    const int row = i / 3 % 3, layer = i / 9;
    body.pose.position = Vector3d(0.099 * (i % 3), 0.099 * row, 0.05 + 0.099 * layer);
    Geometry geometry;
    geometry.shape = i % 2 ? Shape(Box{{0.1, 0.1, 0.1}}) : Shape(Cylinder{0.05, 0.1});
    body.geometry.push_back(geometry);
    scene.bodies.push_back(body);
  }
  const Model model = compile(scene);
  const CollisionModel collision = make_collision_model(model);
  Kinematics kinematics;
  ContactSet contacts;
  ContactWorkspace workspace;
  std::vector<double> reach(collision.geometries.size(), 1e-3);
  const auto run = [&] {
    State state = initial_state(model);
    std::size_t counted = 0;
    for (int step = 0; step < kSteps; ++step) {
      for (int i = 0; i < model.nq; i += 7) state.q[i] += 1e-3 * std::sin(i + 0.1 * step);
      compute_poses(model, state, kinematics);
      const std::size_t before = allocation_count;
      find_contacts(collision, kinematics, reach, contacts, workspace);
      counted += allocation_count - before;
    }
    return counted;
  };
  EXPECT_GT(run(), 0u);
  EXPECT_GT(contacts.size(), 0);
  run();
  EXPECT_EQ(run(), 0u);
}

}  // namespace
}  // namespace stickslip
