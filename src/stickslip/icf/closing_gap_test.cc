#include "stickslip/icf/closing_gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "stickslip/icf/rows.h"

namespace stickslip {
namespace {

constexpr double kSizes[] = {1e-9, 1e-6, 1e-4, 1.5e-4, 1e-3, 5e-3, 0.02, 0.1, 3, 1e6};
constexpr double kSteps[] = {1e-9, 1e-6, 1e-4, 2e-3, 1e-2, 0.1};
constexpr double kMass = 0.3;  // [kg]

ForceSpec stiff_row(double e, double curvature = 0) {
  return constraint_force({}, {.value = e, .curvature = curvature, .size = std::abs(e)}, kMass, {});
}

// The velocity at which the row applies no force: where it is heading, had it no mass.
double aim(const ForceSpec& row, double h) { return row.law(h).v_hat; }

TEST(ClosingGap, AimsAtTheBoundedSpeedWhateverTheStep) {
  for (const double size : kSizes) {
    const double speed = std::clamp(size / 20e-3, 0.01, 1.0);
    for (const double h : kSteps) {
      const double tau = 1e-4 / std::numbers::pi;
      // A gap that the step can close at that speed is closed by it.
      const double round_off = 1e-12 * speed + 1e-15 * size / (h + tau);
      EXPECT_NEAR(aim(stiff_row(size), h), -std::min(speed, size / (h + tau)), round_off) << size << " " << h;
      EXPECT_EQ(aim(stiff_row(-size), h), -aim(stiff_row(size), h));
    }
  }
}

// To the last bit: e is not touched, nor k.
TEST(ClosingGap, LeavesSmallGapsAsTheyWere) {
  for (const double h : kSteps) {
    const double reach = 0.01 * (h + 1e-4 / std::numbers::pi);
    ForceSpec now = stiff_row(0.99 * reach, 3), before = now;
    before.closing = {};
    EXPECT_EQ(now.law(h).v_hat, before.law(h).v_hat);
    EXPECT_EQ(now.law(h).c, before.law(h).c);
  }
}

TEST(ClosingGap, IsTheWholeSpringAtRestUpToTwoMillimetres) {
  for (const double size : {1e-7, 1e-5, 2e-4, 1.9e-3}) {
    const ForceSpec row = stiff_row(size);
    for (const double h : kSteps)
      EXPECT_NEAR(row.law(h).impulse(0) / h, -row.stiffness * size, 1e-9 * row.stiffness * size) << size << " " << h;
  }
}

// 4 pi m/T times 1 m/s: 12 800 times what weighs on the mass that it moves.
TEST(ClosingGap, HoldsALoadWhileItClosesTheSameAtAnyStep) {
  const double least = 4 * std::numbers::pi * kMass / 1e-4;
  for (const double size : {2.1e-3, 0.01, 0.02, 0.1, 3.0}) {
    const double force = -stiff_row(size).law(1e-3).impulse(0) / 1e-3;
    EXPECT_GE(force, least * (1 - 1e-9)) << size;
    EXPECT_LE(force, stiff_row(size).stiffness * size);
    for (const double h : {1e-9, 1e-6, 1e-4, 1e-3})
      EXPECT_NEAR(-stiff_row(size).law(h).impulse(0) / h, force, 1e-8 * force) << size << " " << h;
  }
}

TEST(ClosingGap, HasTheSlopeOfItsPotentialAsImpulseAndIsConvex) {
  for (const double size : kSizes) {
    for (const double h : {1e-5, 2e-3, 0.1}) {
      const ClampLaw law = stiff_row(size, 2).law(h);
      const double scale = std::abs(law.v_hat) + 1, d = 1e-4 * scale;
      for (const double v : {-2 * scale, law.v_hat, 0.0, 3 * scale}) {
        const double slope = (law.potential(v + d) - law.potential(v - d)) / (2 * d);
        // Of a parabola central differences are exact, but for round-off of its value.
        EXPECT_NEAR(law.impulse(v), -slope, 1e-9 * (std::abs(slope) + law.c * scale));
        EXPECT_NEAR((law.impulse(v - d) - law.impulse(v + d)) / (2 * d), law.stiffness(v), 1e-9 * law.c);
        EXPECT_GT(law.stiffness(v), 0);
      }
    }
  }
}

// What a straight prediction misses is corrected in full, however slowly the gap closes.
TEST(ClosingGap, KeepsTheCurvatureWhole) {
  const double h = 2e-3, tau = 1e-4 / std::numbers::pi;
  const ForceSpec row = stiff_row(0.03, 5);
  EXPECT_NEAR(row.law(h, 1e-4).v_hat - row.law(h, -2e-4).v_hat, -3e-4 / (h + tau), 1e-12);
  EXPECT_EQ(row.law(h, 1e-4).c, row.law(h, -2e-4).c);  // so that a matrix may be used again
}

// By what fast motion bends off in a step it may miss its place anew in each: that much more is made up for.
TEST(ClosingGap, ClosesFasterWhatFastMotionOpens) {
  const double h = 0.01, tau = 1e-4 / std::numbers::pi;
  EXPECT_NEAR(stiff_row(0.1, 400).law(h, 0).v_hat, -1 - 0.02 / (h + tau), 1e-9);
  EXPECT_NEAR(stiff_row(0.1, 400).law(1e-6, 0).v_hat, -1, 1e-5);  // nothing, as steps get short
}

TEST(ClosingGap, GrowsWithTheGapButNeverBeyondItsSpeed) {
  for (const double h : kSteps) {
    double last = 0;
    for (double size = 1e-9; size < 100; size *= 1.1) {
      const double v = -aim(stiff_row(size), h);
      EXPECT_GE(v, last * (1 - 1e-9));  // round-off: 1e-16 of 100 m, which a reach of 3e-5 m is left of
      EXPECT_LE(v, 1 + 1e-9);
      last = v;
    }
  }
}

TEST(ClosingGap, IsMeasuredInTheRowsUnit) {
  const ClosingGap metres = closing_gap(0.03, {}), hundredths = closing_gap(3e-4, {}, 0.01);
  const auto a = metres.factors(1e-3, 3e-5), b = hundredths.factors(1e-3, 3e-5);
  EXPECT_NEAR(a.gap, b.gap, 1e-15);
  EXPECT_NEAR(a.stiffness, b.stiffness, 1e-12 * a.stiffness);
}

TEST(ClosingGap, LeavesSpringsAlone) {
  const ConstraintError error{.value = 0.1, .size = 0.1};
  for (const Softness& soft :
       {Softness{.stiffness = 1e4, .dissipation = 10}, Softness{.time_scale = 0.02}, Softness{.time_scale = 1e-3}}) {
    const ForceSpec row = constraint_force(soft, error, kMass, {});
    EXPECT_NEAR(row.law(2e-3).impulse(0), -2e-3 * row.stiffness * 0.1, 1e-12 * row.stiffness);
  }
}

// A time scale that steps cannot tell is stiff, whoever wrote it.
TEST(ClosingGap, BoundsAWrittenTimeScaleThatIsStiff) {
  const ForceSpec row = constraint_force({.time_scale = 5e-4}, {.value = 0.1, .size = 0.1}, kMass, {});
  EXPECT_NEAR(aim(row, 1e-4), -1, 1e-12);
}

TEST(ClosingGap, LeavesThePublishedMethodAsItIs) {
  for (const Softness& soft : {Softness{}, Softness{.time_scale = 5e-4}}) {
    const ForceSpec row = constraint_force(soft, {.value = 0.1, .size = 0.1}, kMass, {.beta = 0.1});
    EXPECT_LT(row.law(1e-3).v_hat, -0.1 / 2e-3);
  }
}

}  // namespace
}  // namespace stickslip
