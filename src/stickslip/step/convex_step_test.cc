#include "stickslip/step/convex_step.h"

#include <gtest/gtest.h>

#include "stickslip/dynamics/energy.h"
#include "stickslip/step/heap_testing.h"
#include "stickslip/step/step_testing.h"

namespace stickslip {
namespace {

using heap_testing::carpet;
using heap_testing::chain_on_floor;
using heap_testing::heap;
using heap_testing::HeapOptions;
using heap_testing::heaps;
using step_testing::distance;

constexpr const char* kConvexMethods[] = {"lagged", "anchored", "lagged-regularized", "similar", "sap"};

struct Outcome {
  State state;
  Status status;
  StepStatistics statistics;
};

Outcome run(const Model& model, const std::string& name, double h, int steps, const MethodOptions& options = {}) {
  const std::unique_ptr<Method> method = make_method(name, model, options);
  const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
  Outcome out{initial_state(model)};
  State next;
  for (int i = 0; i < steps && out.status.ok(); ++i) {
    out.status = method->prepare(out.state, h, *prepared);
    if (out.status.ok()) out.status = method->advance(*prepared, h, next);
    if (out.status.ok()) std::swap(out.state, next);
  }
  out.statistics = method->take_statistics();
  return out;
}

// Three ways to Newton's step, one minimum: what is left is the tolerance of the solver, amplified by the motion.
TEST(ConvexStep, SparseDenseAndIterativeAgree) {
  for (const Scene& scene : {heap(), chain_on_floor()}) {
    const Model model = compile(scene);
    for (const char* name : kConvexMethods) {
      const auto with = [&](LinearSolver solver) {
        const Outcome out = run(model, name, 2e-3, 40, {.solver = {.tolerance = 1e-11, .linear_solver = solver}});
        EXPECT_TRUE(out.status.ok()) << name << ": " << out.status.message;
        return out.state;
      };
      const State sparse = with(LinearSolver::kSparse);
      EXPECT_LE(distance(model, sparse, with(LinearSolver::kDense)), 1e-7) << name;
      EXPECT_LE(distance(model, sparse, with(LinearSolver::kIterative)), 1e-7) << name;
    }
  }
}

// Parts of a large island that are solved on their own first save iterations of the whole, and lead to the same
// minimum.
TEST(ConvexStep, LocalSolvesEndAtTheSameSolution) {
  const Model model = compile(carpet());
  for (const char* name : kConvexMethods) {
    MethodOptions local{.solver = {.tolerance = 1e-11}}, whole = local;
    whole.solver.local_solves = false;
    const Outcome with = run(model, name, 2e-3, 30, local), without = run(model, name, 2e-3, 30, whole);
    ASSERT_TRUE(with.status.ok() && without.status.ok()) << name;
    EXPECT_LE(distance(model, with.state, without.state), 1e-7) << name;
    EXPECT_GT(with.statistics.solver.local_iterations, 0) << name;
    EXPECT_EQ(without.statistics.solver.local_iterations, 0) << name;
  }
  const Outcome local = run(model, "lagged", 2e-3, 30);
  const Outcome whole = run(model, "lagged", 2e-3, 30, {.solver = {.local_solves = false}});
  EXPECT_LT(local.statistics.solver.newton_iterations, whole.statistics.solver.newton_iterations);
}

// Chains among the nodes: joints' rows and articulated trees keep their places in a part.
TEST(ConvexStep, LocalSolvesKnowArticulatedTrees) {
  Scene scene = carpet(), chain = chain_on_floor();
  for (Body& body : chain.bodies) {
    if (body.fixed) continue;
    body.pose.position += Vector3d(0.3, 0.3, 0.1);
    scene.bodies.push_back(body);
  }
  scene.joints = chain.joints;
  const Model model = compile(scene);
  MethodOptions local{.solver = {.tolerance = 1e-11}}, whole = local;
  whole.solver.local_solves = false;
  const Outcome with = run(model, "lagged", 2e-3, 30, local), without = run(model, "lagged", 2e-3, 30, whole);
  ASSERT_TRUE(with.status.ok() && without.status.ok());
  EXPECT_LE(distance(model, with.state, without.state), 1e-7);
  EXPECT_GT(with.statistics.solver.local_iterations, 0);
}

// What is switched off for comparison changes the work, not the solution.
TEST(ConvexStep, PatchesLineSearchSpaceAndReuseOfFactorsChangeNoSolution) {
  const Model model = compile(heap());
  const MethodOptions usual{.solver = {.tolerance = 1e-11}};
  const State expected = run(model, "lagged", 2e-3, 40, usual).state;
  for (const int feature : {0, 1, 2}) {
    MethodOptions options = usual;
    if (feature == 0) options.solver.patches = false;
    if (feature == 1) options.solver.contact_space = false;
    if (feature == 2) options.solver.reuse_factors = true;
    EXPECT_LE(distance(model, expected, run(model, "lagged", 2e-3, 40, options).state), 1e-7) << feature;
  }
}

// CENIC (32)-(33) end earlier, and still near the solution: one step's velocities, whose norm the tolerance is relative
// to, differ by little more than that.
TEST(ConvexStep, PublishedStoppingEndsEarlierNearTheSolution) {
  const Model model = compile(heap());
  const State start = run(model, "lagged", 2e-3, 40).state;
  const auto one_step = [&](bool published, double tolerance) {
    // Every iteration with its own factor: which are used again depends on how far the residual is from its goal.
    const MethodOptions options{.solver = {.tolerance = tolerance, .reuse_factors = false}, .published = published};
    const std::unique_ptr<Method> method = make_method("lagged", model, options);
    const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
    State next;
    EXPECT_TRUE(method->prepare(start, 2e-3, *prepared).ok() && method->advance(*prepared, 2e-3, next).ok());
    return std::pair(next, method->take_statistics().solver.newton_iterations);
  };
  const State exact = one_step(false, 1e-12).first;
  std::int64_t saved = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7}) {
    const auto [usual, usual_iterations] = one_step(false, tolerance);
    const auto [published, iterations] = one_step(true, tolerance);
    EXPECT_LE(iterations, usual_iterations) << tolerance;
    EXPECT_LE((published.v - exact.v).norm(), 10 * tolerance * exact.v.norm()) << tolerance;
    saved += usual_iterations - iterations;
  }
  EXPECT_GT(saved, 0);
}

// A second, shorter step from the same preparation is the one that a method takes which does nothing else, bit for bit:
// what the first one left behind only saves work. Then another preparation, and back.
TEST(ConvexStep, StepsFromOnePreparationDoNotKnowOfEachOther) {
  for (const Scene& scene : {heap(), chain_on_floor()}) {
    const Model model = compile(scene);
    const State start = run(model, "lagged", 2e-3, 40).state;
    for (const char* name : kConvexMethods) {
      const auto alone = [&](const State& from, double h) {
        const std::unique_ptr<Method> method = make_method(name, model);
        const std::unique_ptr<Method::Prepared> prepared = method->make_prepared();
        State next;
        EXPECT_TRUE(method->prepare(from, 4e-3, *prepared).ok() && method->advance(*prepared, h, next).ok());
        return next;
      };
      const std::unique_ptr<Method> method = make_method(name, model);
      const std::unique_ptr<Method::Prepared> first = method->make_prepared(), second = method->make_prepared();
      State full, half, later, again;
      ASSERT_TRUE(method->prepare(start, 4e-3, *first).ok());
      ASSERT_TRUE(method->advance(*first, 4e-3, full).ok() && method->advance(*first, 2e-3, half).ok());
      ASSERT_TRUE(method->prepare(half, 4e-3, *second).ok() && method->advance(*second, 2e-3, later).ok());
      ASSERT_TRUE(method->advance(*first, 1e-3, again).ok());
      EXPECT_TRUE(full == alone(start, 4e-3)) << name;
      EXPECT_TRUE(half == alone(start, 2e-3)) << name;
      EXPECT_TRUE(later == alone(half, 2e-3)) << name;
      EXPECT_TRUE(again == alone(start, 1e-3)) << name;
    }
  }
}

// Bodies that do not touch have nothing to say to each other.
TEST(ConvexStep, IslandsEqualOneProblem) {
  const Model model = compile(heaps(3, {.count = 6}));
  for (const char* name : kConvexMethods) {
    const MethodOptions tight{.solver = {.tolerance = 1e-11}};
    MethodOptions one = tight;
    one.solver.islands = false;
    const Outcome islands = run(model, name, 2e-3, 40, tight), whole = run(model, name, 2e-3, 40, one);
    EXPECT_LE(distance(model, islands.state, whole.state), 1e-7) << name;
  }
}

// The same for bodies in flight, which nothing acts on.
TEST(ConvexStep, FreeFallInOneProblemIsFreeFall) {
  Scene scene = heap({.count = 3});
  scene.bodies.erase(scene.bodies.begin());
  for (size_t i = 0; i < scene.bodies.size(); ++i) scene.bodies[i].pose.position.x() = static_cast<double>(i);
  const Model model = compile(scene);
  MethodOptions one;
  one.solver.islands = false;
  const Outcome islands = run(model, "lagged", 2e-3, 10), whole = run(model, "lagged", 2e-3, 10, one);
  EXPECT_NEAR(islands.state.v[2], -9.81 * 0.02, 1e-12);
  EXPECT_LE(distance(model, islands.state, whole.state), 1e-12);
}

// To the bit: an island is solved by the same operations whoever does it.
TEST(ConvexStep, AnyNumberOfThreadsGivesTheSameBits) {
  const Model model = compile(heaps(5));
  const Outcome one = run(model, "lagged", 2e-3, 200, {.threads = 1});
  EXPECT_TRUE(one.status.ok());
  for (int threads : {2, 4}) {
    const Outcome many = run(model, "lagged", 2e-3, 200, {.threads = threads});
    EXPECT_EQ(hash(one.state), hash(many.state)) << threads;
    EXPECT_EQ(one.statistics.solver.newton_iterations, many.statistics.solver.newton_iterations);
  }
}

// A body in a heap of its own moves as if it were alone in the world, to the bit.
TEST(ConvexStep, FarNeighboursChangeNoBits) {
  const Model alone = compile(heap({.count = 6})), among = compile(heaps(3, {.count = 6}));
  const State a = run(alone, "lagged", 2e-3, 100).state, b = run(among, "lagged", 2e-3, 100).state;
  EXPECT_EQ(a.v, b.v.head(a.v.size()));
}

// Steps, stiffnesses and mass ratios of any size end well: finite, and no deeper than the start.
TEST(ConvexStep, SolvesWhateverTheStiffnessStepAndMassRatio) {
  for (const char* name : kConvexMethods) {
    for (double h : {1e-6, 1e-3, 0.05}) {
      for (double stiffness : {1e2, 1e7, 1e12}) {
        for (double ratio : {1e-3, 1.0, 1e3}) {
          const Model model = compile(heap({.stiffness = stiffness, .mass_ratio = ratio}));
          const Outcome out = run(model, name, h, 30);
          EXPECT_TRUE(out.status.ok()) << name << " h " << h << " k " << stiffness << " ratio " << ratio << ": "
                                       << out.status.message;
          EXPECT_TRUE(out.state.q.allFinite());
        }
      }
    }
  }
}

// Without gravity and floor contact conserves linear and angular momentum: forces act in pairs along one line.
TEST(ConvexStep, ContactConservesMomentum) {
  Scene scene = heap();
  scene.gravity.setZero();
  scene.bodies.erase(scene.bodies.begin());
  const Model model = compile(scene);
  for (const char* name : kConvexMethods) {
    const Outcome out = run(model, name, 1e-3, 50, {.solver = {.tolerance = 1e-12}});
    const Momentum end = momentum(model, step_testing::kinematics_of(model, out.state));
    EXPECT_GT(out.state.v.norm(), 0.1) << name;  // they did fly apart
    EXPECT_LE(end.linear.norm(), 1e-10) << name;
    // The end's positions are a step ahead of the impulses' lines of action: first order in h.
    EXPECT_LE(end.angular.norm(), 2e-3 * out.state.v.norm()) << name;
  }
}

// A second solve from the same state gives the same bits: nothing is carried over in workspaces.
TEST(ConvexStep, ResultsDependOnTheStateAlone) {
  const Model model = compile(chain_on_floor());
  const std::unique_ptr<Method> method = make_method("lagged", model, {});
  const auto prepared = method->make_prepared();
  State state = initial_state(model), next, again;
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(method->prepare(state, 2e-3, *prepared).ok());
    ASSERT_TRUE(method->advance(*prepared, 2e-3, next).ok());
    ASSERT_TRUE(method->advance(*prepared, 1e-3, again).ok());  // an attempt that is thrown away
    const std::unique_ptr<Method> fresh = make_method("lagged", model, {});
    const auto fresh_prepared = fresh->make_prepared();
    ASSERT_TRUE(fresh->prepare(state, 2e-3, *fresh_prepared).ok());
    ASSERT_TRUE(fresh->advance(*fresh_prepared, 2e-3, again).ok());
    ASSERT_EQ(hash(next), hash(again)) << "step " << i;
    std::swap(state, next);
  }
}

}  // namespace
}  // namespace stickslip
