// One thread and one call at a time use a simulator.
#include "stickslip/simulate/in_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "stickslip/model/forest_testing.h"
#include "stickslip/simulate/simulator.h"
#include "stickslip/systems/function_system.h"
#include "stickslip/systems/sampled.h"

namespace stickslip {
namespace {

using forest_testing::forest;
using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const SimulatorBusy& error) {
    return error.what();
  }
  return "";
}

// A simulator whose system does `act` whenever its output is asked for.
struct Reentrant {
  std::function<void(Simulator&)> act;
  Simulator sim;

  explicit Reentrant(const char* method)
      : sim(std::make_shared<const Model>(compile(forest(1, {}))), {.method = method, .time_step = 1e-3}) {
    sim.add(std::make_shared<FunctionSystem>(SystemFunctions{.output = [this](const SystemInput&, VectorXd&) {
      if (act) act(sim);
    }}));
  }
};

TEST(InUse, WhoeverReadsMayAskMoreAndNobodyChangesWithin) {
  InUse in_use;
  {
    const Reading first(in_use, "read"), second(in_use, "read");
    EXPECT_THAT(refusal([&] { const Changing third(in_use, "step"); }), HasSubstr("cannot step within"));
  }
  {
    const Changing first(in_use, "step");
    const Reading second(in_use, "read");
    EXPECT_TRUE(in_use.is_changed());
    EXPECT_THAT(refusal([&] { const Changing third(in_use, "reset it"); }), HasSubstr("cannot reset it within"));
    std::thread([&] {
      EXPECT_THAT(refusal([&] { const Reading other(in_use, "read"); }), HasSubstr("cannot read while another thread"));
    }).join();
  }
  EXPECT_FALSE(in_use.is_changed());
  const Changing again(in_use, "step");
}

TEST(Simulator, IsNotChangedByWhatItCalls) {
  for (const char* method : {"lagged", "rk4"}) {
    Reentrant x(method);
    const State start = x.sim.state();
    const std::function<void(Simulator&)> changes[] = {
        [](Simulator& s) { s.step(); },
        [](Simulator& s) { s.advance_to(1); },
        [](Simulator& s) { s.step_toward(1); },
        [](Simulator& s) { s.reset(); },
        [](Simulator& s) { s.set_state(State(s.state())); },
        [](Simulator& s) { s.add(std::make_shared<FunctionSystem>(SystemFunctions{})); },
        [](Simulator& s) { s.observe(nullptr); },
    };
    for (const auto& change : changes) {
      x.act = change;
      EXPECT_THAT(refusal([&] { x.sim.advance_to(0.1); }), HasSubstr("within a step of the same simulator")) << method;
      EXPECT_EQ(x.sim.state(), start);
    }
    x.act = {};
    EXPECT_TRUE(x.sim.step().ok());
  }
}

// keep_going is asked between steps, within advance_to.
TEST(Simulator, IsNotSteppedByWhoAsksWhetherToGoOn) {
  Simulator sim(compile(forest(1, {})), {.method = "rk4", .time_step = 1e-3});
  EXPECT_NE(refusal([&] { sim.advance_to(1, [&] { return sim.step().ok(); }); }), "");
}

TEST(Simulator, RefusesAStepDuringWhichItsStateIsWritten) {
  for (const char* method : {"lagged", "rk4"}) {
    const std::pair<const char*, std::function<void(State&)>> writes[] = {
        {"q of the state was written", [](State& x) { x.q[0] += 1; }},
        {"v of the state was written", [](State& x) { x.v[0] += 1; }},
        {"the time of the state was written", [](State& x) { x.time += 1; }},
    };
    for (const auto& [complaint, write] : writes) {
      Reentrant x(method);
      const State start = x.sim.state();
      x.act = [&](Simulator& s) { write(s.state()); };
      EXPECT_THAT(refusal([&] { x.sim.step(); }), HasSubstr(complaint));
      EXPECT_EQ(x.sim.state(), start) << "the step is not taken";
    }
  }
}

// The memory of a state whose z grew is still there for whoever looks at it.
TEST(Simulator, StateMemoryOutlivesIt) {
  auto sim = std::make_unique<Simulator>(compile(forest(1, {})), SimulatorOptions{.method = "rk4", .time_step = 1e-3});
  const auto add = [&](double z0) {
    sim->add(std::make_shared<FunctionSystem>(SystemFunctions{.z0 = VectorXd::Constant(1, z0)}));
  };
  add(3);
  const double* const z = sim->state().z.data();
  const double* const q = sim->state().q.data();
  const double q0 = *q;
  add(4);
  const auto memory = sim->state_memory();
  sim.reset();
  EXPECT_EQ(*z, 3);
  EXPECT_EQ(*q, q0);
}

// A clock that stands still, or ticks by less and less, would hold the simulation up for ever.
TEST(Simulator, RefusesClocksThatStandStill) {
  class Clock final : public System {
   public:
    explicit Clock(std::function<double(double)> next) : System("clock"), next_(std::move(next)) {}
    void output(const SystemInput&, Scratch*, VectorXd&) const override {}
    double next_tick(double time) const override { return next_(time); }

   private:
    std::function<double(double)> next_;
  };
  const std::function<double(double)> clocks[] = {[](double t) { return t; }, [](double t) { return t + 1e-12; },
                                                  [](double t) { return t - 1; },
                                                  [](double) { return std::numeric_limits<double>::quiet_NaN(); },
                                                  [](double t) { return t < 1 ? t + 0.5 * (1 - t) : t + 1; }};
  for (const auto& next : clocks) {
    Simulator sim(compile(forest(1, {})), {.method = "rk4", .time_step = 1e-3});
    sim.add(std::make_shared<Clock>(next));
    try {
      sim.advance_to(2);
      ADD_FAILURE() << "reached " << sim.time();
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr("system 'clock': its ticks after"));
      EXPECT_THAT(error.what(), HasSubstr("1e-06 s apart"));
    }
  }
}

}  // namespace
}  // namespace stickslip
