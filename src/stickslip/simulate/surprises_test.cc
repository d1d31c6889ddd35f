// What external systems do between the places where a step looks: pulses, jumps, and what is neither.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "stickslip/simulate/simulator.h"
#include "stickslip/systems/arms_testing.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/joint_pd.h"
#include "stickslip/systems/sampled.h"

namespace stickslip {
namespace {

using arms_testing::arm;
using arms_testing::one;
using arms_testing::stage;

constexpr const char* kControlled[] = {"cenic", "cenic-paper", "cenic-trapezoid"};

bool is_within(double t, double start, double duration) { return t >= start && t < start + duration; }

SystemFunctions pulse(double force, double start, double duration) {
  return {.name = "pulse", .output = [=](const SystemInput& in, VectorXd& tau) {
            if (is_within(in.time(), start, duration)) tau[0] += force;
          }};
}

Simulator simulator(const std::shared_ptr<const Model>& model, const char* method, SystemFunctions functions) {
  Simulator sim(model, {.method = method});
  sim.add(std::make_shared<FunctionSystem>(std::move(functions)));
  return sim;
}

// At either end of a pulse a step may miss what leads the body off by the accuracy within 10 ms: 1e-3 of its size,
// which is 0.122 m, or of a metre where weights are 1.
double missed_speed(const std::string& method) { return 2 * 1e-3 / 0.01 * (method == "cenic" ? 0.1225 : 1.0); }

// Whatever it falls between: steps of 0.1 s end and have their middle at tenths and twentieths of a second.
TEST(Surprises, APulseAtRestIsSeenWheneverItComes) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  int seed = 0;
  for (const char* method : kControlled) {
    for (double duration : {1e-3, 2e-3, 5e-3, 1e-2, 5e-2}) {
      for (int i = 0; i < 12; ++i) {
        const double start = 0.15 + 0.9 * std::fmod(0.618034 * ++seed, 1.0);
        Simulator sim = simulator(model, method, pulse(2000, start, duration));
        ASSERT_TRUE(sim.advance_to(1.5).ok());
        const double speed = 2000 * duration;
        EXPECT_NEAR(sim.state().v[0], speed, missed_speed(method)) << method << ": " << duration << " s at " << start;
        EXPECT_NEAR(sim.state().q[0], speed * (1.5 - start - 0.5 * duration), 1.5 * missed_speed(method)) << method;
        EXPECT_LT(sim.report().steps, 300) << method;
      }
    }
  }
}

// What matters decides, not what jumps: a millionth of the force moves nothing that the accuracy could tell.
TEST(Surprises, WhatDoesNotMatterCostsNoSteps) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  Simulator sim = simulator(model, "cenic", pulse(2e-3, 0.73, 1e-2)), calm = simulator(model, "cenic", {});
  ASSERT_TRUE(sim.advance_to(1.5).ok());
  ASSERT_TRUE(calm.advance_to(1.5).ok());
  EXPECT_EQ(sim.report().steps, calm.report().steps);
}

struct SmoothLaw {
  double kp = 0, rate = 0;  // [N m/rad], [rad/s] of the target
  bool implicit = true;
};

std::pair<std::uint64_t, std::int64_t> follow(const std::shared_ptr<const Model>& model, const char* method,
                                              const SmoothLaw& law, double resolution) {
  const auto output = [=](const SystemInput& in, VectorXd& tau) {
    for (int i = 0; i < tau.size(); ++i)
      tau[i] += law.kp * std::sin(0.4 * std::sin(law.rate * in.time()) + 0.1 * i - in.state.q[i]) -
                0.2 * law.kp * in.state.v[i];
  };
  Simulator sim = simulator(model, method, {.output = output, .implicit = law.implicit, .resolution = resolution});
  EXPECT_TRUE(sim.advance_to(0.5).ok());
  const Report report = sim.report();
  return {hash(sim.state()), report.steps + report.rejected};
}

// Smooth controllers, stiff or not, linear or not, time-dependent or not, take the same steps to the same bits.
TEST(Surprises, SmoothControllersDoNotSurprise) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  for (const char* method : kControlled) {
    for (const SmoothLaw& law : {SmoothLaw{10, 3}, {300, 1}, {1e5, 0}, {1e5, 2}})
      EXPECT_EQ(follow(model, method, law, kDefaultResolution), follow(model, method, law, kInfinity))
          << method << ", kp " << law.kp << ", " << law.rate << " rad/s";
  }
}

// Explicit ones change within a step by what no derivative tells. Where velocities count anyway that is little beside
// the error of the step; where positions alone do, what is missed counts for 10 ms nevertheless.
TEST(Surprises, SmoothExplicitControllersTakeFewMoreSteps) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  for (const SmoothLaw& law : {SmoothLaw{10, 3, false}, {30, 1, false}}) {
    const auto attempts = [&](const char* method, double resolution) {
      return static_cast<double>(follow(model, method, law, resolution).second);
    };
    EXPECT_LE(attempts("cenic", kDefaultResolution), 1.02 * attempts("cenic", kInfinity));
    EXPECT_LE(attempts("cenic-paper", kDefaultResolution), 2 * attempts("cenic-paper", kInfinity));
  }
}

// A state that is fed by a pulse misses it as a velocity does.
TEST(Surprises, APulseIntoAStateIsSeen) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (const char* method : kControlled) {
    for (double start : {0.331, 0.417, 0.583, 0.66}) {
      SystemFunctions filter{
          .derivative = [=](const SystemInput& in,
                            Eigen::Ref<VectorXd> zdot) { zdot[0] = is_within(in.time(), start, 0.004) ? 500 : 0; },
          .z0 = one(0)};
      Simulator sim = simulator(model, method, filter);
      ASSERT_TRUE(sim.advance_to(1).ok());
      EXPECT_NEAR(sim.state().z[0], 2, 0.02) << method << ", " << start;
    }
  }
}

// Steps that end at ticks are short and cheap, but no shorter than what must be seen.
TEST(Surprises, APulseBetweenTicksIsSeen) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (double start : {0.2513, 0.4007, 0.6668}) {
    Simulator sim = simulator(model, "cenic", pulse(2000, start, 2e-3));
    sim.add(std::make_shared<Sampled>(100, [](const SystemInput&, Eigen::Ref<VectorXd>) {}));
    ASSERT_TRUE(sim.advance_to(1).ok());
    EXPECT_NEAR(sim.state().v[0], 4, 0.04) << start;
  }
}

// An effort limit bounds the pulse, and with it the surprise.
TEST(Surprises, LimitsBoundAPulse) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  SystemFunctions limited = pulse(1e9, 0.4321, 5e-3);
  limited.effort_limit = one(100);
  Simulator sim = simulator(model, "cenic", limited);
  ASSERT_TRUE(sim.advance_to(1).ok());
  EXPECT_NEAR(sim.state().v[0], 0.5, 5e-3);
  EXPECT_LT(sim.report().steps, 100);
}

// A state that was saved just before the pulse goes on as the run did.
TEST(Surprises, ASavedStateGoesOnBitForBit) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  Simulator sim = simulator(model, "cenic", pulse(2000, 0.7404, 3e-3));
  ASSERT_TRUE(sim.advance_to(0.74).ok());
  const State saved = sim.state();
  ASSERT_TRUE(sim.advance_to(1).ok());
  Simulator again = simulator(model, "cenic", pulse(2000, 0.7404, 3e-3));
  again.set_state(saved);
  ASSERT_TRUE(again.advance_to(1).ok());
  EXPECT_EQ(hash(again.state()), hash(sim.state()));
}

// What is no number for a moment within a step is said, with its time, not stepped over.
TEST(Surprises, AMomentWithoutANumberStopsTheRun) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  Simulator sim = simulator(model, "cenic", pulse(std::nan(""), 0.7404, 3e-3));
  const Status status = sim.advance_to(1);
  EXPECT_EQ(status.code, StatusCode::kNotFinite);
  EXPECT_NE(status.message.find("'pulse'"), std::string::npos) << status.message;
  EXPECT_NEAR(sim.time(), 0.7404, 1e-4);
}

// A relay jumps in every step: no step stands still for it.
TEST(Surprises, ARelayDoesNotHoldTheRun) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (double force : {1.0, 100.0}) {
    Simulator sim = simulator(model, "cenic", {.output = [=](const SystemInput& in, VectorXd& tau) {
                                tau[0] += in.state.q[0] < 0.5 ? force : -force;
                              }});
    ASSERT_TRUE(sim.advance_to(2).ok());
    const double energy = 0.5 * sim.state().v[0] * sim.state().v[0] + force * std::abs(sim.state().q[0] - 0.5);
    EXPECT_NEAR(energy, 0.5 * force, 0.05 * force);
    EXPECT_LT(sim.report().steps + sim.report().rejected, 2000);
  }
}

TEST(Surprises, AResolutionBeyondTheFinestIsRefused) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (double resolution : {0.0, -1.0, 1e-9, std::nan("")}) {
    Simulator sim(model, {.method = "cenic"});
    EXPECT_THROW(sim.add(std::make_shared<FunctionSystem>(SystemFunctions{.resolution = resolution})),
                 std::invalid_argument);
  }
}

}  // namespace
}  // namespace stickslip
