#include "stickslip/systems/sampled.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "stickslip/systems/arms_testing.h"

namespace stickslip {
namespace {

using arms_testing::list_of;
using arms_testing::output_of;
using arms_testing::start_of;

// Ticks are found whatever the round-off of the clock.
TEST(Sampled, TicksAtMultiplesOfItsPeriod) {
  const Sampled sampled(30, [](const SystemInput&, Eigen::Ref<VectorXd>) {});
  double t = 0;
  for (int k = 0; k < 1000; ++k) {
    EXPECT_TRUE(sampled.is_tick(t));
    EXPECT_FALSE(sampled.is_tick(t + 0.01));
    EXPECT_DOUBLE_EQ(sampled.next_tick(t + 1e-12), (k + 1) / 30.0);
    EXPECT_DOUBLE_EQ(sampled.next_tick(t - 1e-12), (k + 1) / 30.0);
    t = sampled.next_tick(t);
  }
  for (double rate : {0.0, -1.0, 1.1e6, 1e12, 1e300, kInfinity})
    EXPECT_THROW(Sampled(rate, [](const SystemInput&, Eigen::Ref<VectorXd>) {}), std::invalid_argument) << rate;
}

// Also where a time has lost most of the digits below a period: each tick leads to the next, and is one.
TEST(Sampled, TicksAdvanceForYearsAtAMegahertz) {
  for (double rate : {1e6, 999983.0, 12345.678}) {
    const Sampled sampled(rate, [](const SystemInput&, Eigen::Ref<VectorXd>) {});
    for (double start : {0.0, 1.0, 3600.0, 1e6, 1e9 - 1, -1e9}) {
      double t = sampled.next_tick(start);
      for (int k = 0; k < 1000; ++k) {
        EXPECT_TRUE(sampled.is_tick(t)) << rate << " " << t;
        const double next = sampled.next_tick(t);
        // Two roundings of the clock at most.
        EXPECT_NEAR(next - t, 1 / rate, 4 * std::numeric_limits<double>::epsilon() * std::abs(t) + 1e-15);
        t = next;
      }
    }
  }
}

// What it computed at a tick acts on, whatever happens to the state in between.
TEST(Sampled, HoldsItsForceUntilTheNextTick) {
  const Model model = compile(arms_testing::stage(2));
  const auto list = list_of(model, {std::make_shared<Sampled>(100, [](const SystemInput& in, Eigen::Ref<VectorXd> tau) {
                              tau[1] = -3 * in.state.q[1];
                            })});
  State state = start_of(model, *list);
  SystemEvaluator evaluator(list);
  state.q[1] = 2;
  EXPECT_TRUE(evaluator.sample(state));
  state.q[1] = 5;
  state.time = 0.004;
  EXPECT_FALSE(evaluator.sample(state));
  EXPECT_EQ(output_of(list, state), (VectorXd{{0, -6}}));
  state.time = 0.01;
  EXPECT_TRUE(evaluator.sample(state));
  EXPECT_EQ(output_of(list, state), (VectorXd{{0, -15}}));
}

}  // namespace
}  // namespace stickslip
