// What external systems do between the places where a step looks: pulses, jumps, and what is neither.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "stickslip/scene/yaml.h"
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

// 1 kg, 0.01 kg m^2, 7 rad/s about z.
Scene spinning_ball() {
  Scene scene;
  scene.gravity.setZero();
  scene.bodies.push_back({.name = "ball", .inertia = {1, Vector3d::Zero(), 0.01 * Matrix3d::Identity()}});
  scene.bodies.back().angular_velocity = Vector3d(0, 0, 7);
  return scene;
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

// A force while a pulse lasts, so many a second, from 33 ms on.
struct Train {
  double force = 1, width = 1e-2, rate = 10;
  bool acts(double t) const {
    const double pulses = (t - 0.033) * rate;
    return pulses >= 0 && pulses - std::floor(pulses) < width * rate;
  }
  double impulse(double end) const {
    double time = 0;
    for (double start = 0.033; start < end; start += 1 / rate) time += std::min(width, end - start);
    return force * time;
  }
  SystemFunctions functions() const {
    return {.name = "train", .output = [train = *this](const SystemInput& in, VectorXd& tau) {
              if (train.acts(in.time())) tau[0] += train.force;
            }};
  }
};

// Pulses of which each errs by less than the accuracy, by about as much, and by more, shorter than a look's distance
// and longer, in step with the steps and not. A pulse that is short beside the distance of looks is met as often as it
// deserves: 1 ms has an error of a few percent after ten of them.
TEST(Surprises, TrainsOfPulsesAddUp) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  const double end = 5;
  for (const char* method : kControlled) {
    for (double accuracy : {1e-2, 1e-3, 1e-4}) {
      for (double force : {0.1, 0.2, 1.0, 5.0}) {
        for (double width : {1e-3, 1.5e-3, 1e-2, 5e-2}) {
          for (double rate : {2.0, 10.0, 17.3}) {
            const Train train{force, width, rate};
            Simulator sim(model, {.method = method, .accuracy = accuracy});
            sim.add(std::make_shared<FunctionSystem>(train.functions()));
            ASSERT_TRUE(sim.advance_to(end).ok());
            EXPECT_NEAR(sim.state().v[0] / train.impulse(end), 1, 0.05)
                << method << " " << accuracy << ": " << force << " N, " << width << " s, " << rate << "/s";
          }
        }
      }
    }
  }
}

TEST(Surprises, WeakPulsesCostNoSteps) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  Simulator sim = simulator(model, "cenic", Train{.force = 0.1}.functions()), calm = simulator(model, "cenic", {});
  ASSERT_TRUE(sim.advance_to(5).ok());
  ASSERT_TRUE(calm.advance_to(5).ok());
  EXPECT_EQ(sim.report().steps, calm.report().steps);
}

// Thousands of periods, and no force in the mean. Steps see some phase of them, which is no force that lasts: for ever
// the same phase would push to the amplitude times 10 s per kg.
TEST(Surprises, AVibrationDoesNotPush) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (double amplitude : {0.01, 0.1}) {
    for (double frequency : {200.0, 200.7, 333.3}) {
      for (double phase : {0.0, 1.3}) {
        Simulator sim = simulator(model, "cenic", {.output = [=](const SystemInput& in, VectorXd& tau) {
                                    tau[0] += amplitude * std::sin(6.283185307179586 * frequency * in.time() + phase);
                                  }});
        ASSERT_TRUE(sim.advance_to(10).ok());
        EXPECT_LT(std::abs(sim.state().v[0]), 0.02 * amplitude * 10) << amplitude << " N, " << frequency << " Hz";
        EXPECT_LT(sim.report().steps, 300);
      }
    }
  }
}

// Where a velocity decays between two pulses it has led somewhere by then.
TEST(Surprises, ADampedBodyIsMovedByATrain) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (double damping : {1.0, 50.0}) {
    const Train train;
    Simulator sim = simulator(model, "cenic", train.functions());
    sim.add(std::make_shared<FunctionSystem>(
        SystemFunctions{.output = [=](const SystemInput& in, VectorXd& tau) { tau -= damping * in.state.v; }}));
    ASSERT_TRUE(sim.advance_to(10).ok());
    const double left = sim.state().v[0] / damping;
    EXPECT_NEAR(sim.state().q[0] + left, train.impulse(10) / damping, 0.1 * train.impulse(10) / damping) << damping;
  }
}

// A tenth of what friction can hold, sideways: 0.1 mm would be two thousandths of the box.
TEST(Surprises, FrictionHoldsWhatATrainPushes) {
  const auto model = std::make_shared<const Model>(compile(read_yaml_string(R"(
bodies:
  - {name: box, mass: 1, pose: {position: [0, 0, 0.05]}, geometry: [{box: {size: [0.1, 0.1, 0.1]}}]}
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
)",
                                                                            ".")));
  for (double accuracy : {1e-2, 1e-3}) {
    Simulator sim(model, {.method = "cenic", .accuracy = accuracy});
    sim.add(std::make_shared<FunctionSystem>(Train{.force = 0.5}.functions()));
    ASSERT_TRUE(sim.advance_to(20).ok());
    EXPECT_LT(std::abs(sim.state().q[0]), 1e-4) << accuracy;
  }
}

// What the result is given is work of the system, and the audit closes.
TEST(Surprises, TheAuditCountsTheWorkOfATrain) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (const char* method : kControlled) {
    for (double force : {0.1, 1.0}) {
      Simulator sim = simulator(model, method, Train{.force = force}.functions());
      ASSERT_TRUE(sim.advance_to(10).ok());
      const EnergyAudit energy = sim.report().energy;
      const double v = sim.state().v[0];
      EXPECT_NEAR(energy.end - energy.start, 0.5 * v * v, 1e-12);
      EXPECT_NEAR(energy.actuators, 0.5 * v * v, 0.02 * v * v) << method << ", " << force << " N";
    }
  }
}

// Torques stand in the body's axes, as angular velocities do: what a ball is given there stays there while it turns.
TEST(Surprises, WeakTorquesOnASpinningBallAddUp) {
  const auto model = std::make_shared<const Model>(compile(spinning_ball()));
  const auto speed = [&](double accuracy, double max_step) {
    Simulator sim(model, {.method = "cenic", .accuracy = accuracy, .max_step = max_step});
    const Train train{.force = 1e-3};
    sim.add(std::make_shared<FunctionSystem>(SystemFunctions{.output = [=](const SystemInput& in, VectorXd& tau) {
      if (train.acts(in.time())) tau[3] += train.force;
    }}));
    EXPECT_TRUE(sim.advance_to(3).ok());
    return Vector3d(sim.state().v.tail<3>());
  };
  const Vector3d right = speed(1e-5, 1e-3);
  EXPECT_LT((speed(1e-2, 0.1) - right).norm(), 0.05 * right.head<2>().norm());
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

struct Followed {
  VectorXd q;
  std::int64_t attempts = 0;
};

Followed follow(const std::shared_ptr<const Model>& model, const char* method, const SmoothLaw& law,
                double resolution) {
  const auto output = [=](const SystemInput& in, VectorXd& tau) {
    for (int i = 0; i < tau.size(); ++i)
      tau[i] += law.kp * std::sin(0.4 * std::sin(law.rate * in.time()) + 0.1 * i - in.state.q[i]) -
                0.2 * law.kp * in.state.v[i];
  };
  Simulator sim = simulator(model, method, {.output = output, .implicit = law.implicit, .resolution = resolution});
  EXPECT_TRUE(sim.advance_to(0.5).ok());
  const Report report = sim.report();
  return {sim.state().q, report.steps + report.rejected};
}

// Smooth controllers, stiff or not, linear or not, time-dependent or not, take the same steps, and end where they did
// but for a quarter of the accuracy, 1e-3: what looks like missed there is of a higher order than the error.
TEST(Surprises, SmoothControllersDoNotSurprise) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  for (const char* method : kControlled) {
    for (const SmoothLaw& law : {SmoothLaw{10, 3}, {300, 1}, {1e5, 0}, {1e5, 2}}) {
      const Followed watched = follow(model, method, law, kDefaultResolution);
      const Followed trusted = follow(model, method, law, kInfinity);
      EXPECT_EQ(watched.attempts, trusted.attempts) << method << ", kp " << law.kp << ", " << law.rate << " rad/s";
      EXPECT_LT((watched.q - trusted.q).lpNorm<Eigen::Infinity>(), 2.5e-4) << method << ", kp " << law.kp;
    }
  }
}

// Explicit ones change within a step by what no derivative tells. Where velocities count anyway that is little beside
// the error of the step; where positions alone do, what is missed counts for 10 ms nevertheless.
TEST(Surprises, SmoothExplicitControllersTakeFewMoreSteps) {
  const auto model = std::make_shared<const Model>(compile(arm()));
  for (const SmoothLaw& law : {SmoothLaw{10, 3, false}, {30, 1, false}}) {
    const auto attempts = [&](const char* method, double resolution) {
      return static_cast<double>(follow(model, method, law, resolution).attempts);
    };
    EXPECT_LE(attempts("cenic", kDefaultResolution), 1.02 * attempts("cenic", kInfinity));
    // 2.00 times as many, a few attempts more or less with another compiler's last digits.
    EXPECT_LE(attempts("cenic-paper", kDefaultResolution), 2.1 * attempts("cenic-paper", kInfinity));
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

// Of a train into a state, what each pulse brings adds up.
TEST(Surprises, ATrainIntoAStateAddsUp) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (const char* method : kControlled) {
    for (double rate : {0.05, 0.5}) {
      const Train train{.force = rate};
      SystemFunctions filter{
          .derivative = [=](const SystemInput& in,
                            Eigen::Ref<VectorXd> zdot) { zdot[0] = train.acts(in.time()) ? train.force : 0; },
          .z0 = one(0)};
      Simulator sim = simulator(model, method, filter);
      ASSERT_TRUE(sim.advance_to(10).ok());
      EXPECT_NEAR(sim.state().z[0] / train.impulse(10), 1, 0.02) << method << ", " << rate;
    }
  }
}

// Steps that end at ticks are short and cheap, but no shorter than what must be seen.
TEST(Surprises, APulseBetweenTicksIsSeen) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (double start : {0.2513, 0.4007, 0.6668}) {
    Simulator sim = simulator(model, "cenic", pulse(2000, start, 2e-3));
    sim.add(std::make_shared<Sampled>(100, [](const SystemInput&, const Eigen::Ref<VectorXd>&) {}));
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

// A state that was saved just before the pulse, or within a train, goes on as the run did: nothing else is remembered.
TEST(Surprises, ASavedStateGoesOnBitForBit) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  for (const SystemFunctions& functions :
       {pulse(2000, 0.7404, 3e-3), Train{.force = 0.1}.functions(), Train{.force = 5}.functions()}) {
    Simulator sim = simulator(model, "cenic", functions);
    ASSERT_TRUE(sim.advance_to(0.74).ok());
    const State saved = sim.state();
    ASSERT_TRUE(sim.advance_to(1.5).ok());
    Simulator again = simulator(model, "cenic", functions);
    again.set_state(saved);
    ASSERT_TRUE(again.advance_to(1.5).ok());
    EXPECT_EQ(hash(again.state()), hash(sim.state()));
  }
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

// It adds up at each call, however time goes, and is taken for one that jumps.
TEST(Surprises, ASystemThatRemembersIsTold) {
  const auto model = std::make_shared<const Model>(compile(stage(1, 1.0)));
  const auto sum = std::make_shared<double>(0);
  const SystemFunctions remembers{.name = "closure", .output = [=](const SystemInput& in, VectorXd& tau) {
                                    *sum += 1e-3 * (0.5 - in.state.q[0]);
                                    tau[0] += *sum;
                                  }};
  for (const char* method : {"cenic", "anchored", "rk4"}) {
    Simulator sim = simulator(model, method, remembers);
    static_cast<void>(sim.step());
    const std::vector<Warning> found = sim.report().warnings;
    ASSERT_EQ(found.size(), 1u) << method;
    EXPECT_EQ(found[0].code, "system-remembers");
    EXPECT_NE(found[0].message.find("system 'closure'"), std::string::npos);
    sim.reset();
    EXPECT_TRUE(sim.report().warnings.empty());
    Simulator pure = simulator(model, method, pulse(3, 0.1, 0.2));
    ASSERT_TRUE(pure.advance_to(0.5).ok());
    EXPECT_TRUE(pure.report().warnings.empty());
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
