#include "stickslip/model/motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stickslip {
namespace {

constexpr double kStep = 1e-5;  // of central differences: truncation kStep^2, round-off 1e-16/kStep

const Motion kTable{.kind = Motion::Kind::kTable, .times = {0.5, 1, 1.25, 2}, .values = {3, 1, 2, -1}};

// Velocity and acceleration are the derivatives of position wherever the curve is smooth.
void expect_consistent_derivatives(const MotionCurve& curve, double t) {
  const MotionSample before = curve.at(t - kStep), here = curve.at(t), after = curve.at(t + kStep);
  // Third derivatives are below 1e3 in these curves: 1e3 * kStep^2 = 1e-7.
  EXPECT_NEAR(here.velocity, (after.position - before.position) / (2 * kStep), 1e-7) << t;
  EXPECT_NEAR(here.acceleration, (after.velocity - before.velocity) / (2 * kStep), 1e-6) << t;
}

// s = v t from time 0, for all times.
TEST(MotionCurve, ConstantIsALine) {
  const MotionCurve curve({.kind = Motion::Kind::kConstant, .velocity = 0.3});
  EXPECT_EQ(curve.at(0).position, 0);
  EXPECT_DOUBLE_EQ(curve.at(7).position, 2.1);
  EXPECT_EQ(curve.at(7).velocity, 0.3);
  EXPECT_EQ(curve.at(7).acceleration, 0);
}

// s = a sin(2 pi f t + phase), with both derivatives in closed form.
TEST(MotionCurve, SineIsTheClosedForm) {
  const double a = 0.2, f = 1.5, phase = 0.4;
  const MotionCurve curve({.kind = Motion::Kind::kSine, .amplitude = a, .frequency = f, .phase = phase});
  const double omega = 2 * std::numbers::pi * f;
  for (double t : {0.0, 0.1, 1.7, 100.0}) {
    const double x = omega * t + phase;
    // The argument is rounded to 1e3 * 1e-16, and the acceleration has the factor omega^2 = 89.
    EXPECT_NEAR(curve.at(t).position, a * std::sin(x), 1e-12);
    EXPECT_NEAR(curve.at(t).velocity, a * omega * std::cos(x), 1e-11);
    EXPECT_NEAR(curve.at(t).acceleration, -a * omega * omega * std::sin(x), 1e-10);
    expect_consistent_derivatives(curve, t);
  }
}

// The table's points are met, to round-off of the polynomial.
TEST(MotionCurve, TableMeetsItsPoints) {
  const MotionCurve curve(kTable);
  for (size_t i = 0; i < kTable.times.size(); ++i) {
    EXPECT_NEAR(curve.at(kTable.times[i]).position, kTable.values[i], 1e-14);
  }
}

// Position and velocity have no jumps: at the points, and at the ends, outside which the motion is held.
TEST(MotionCurve, TableIsContinuouslyDifferentiable) {
  const MotionCurve curve(kTable);
  for (double t : kTable.times) {
    const double before = std::nextafter(t, -1), after = std::nextafter(t, 10);
    // One unit in the last place of time, times velocities of order 10 and accelerations of order 100.
    EXPECT_NEAR(curve.at(before).position, curve.at(after).position, 1e-14) << t;
    EXPECT_NEAR(curve.at(before).velocity, curve.at(after).velocity, 1e-13) << t;
  }
  for (double t : {0.6, 0.9, 1.1, 1.3, 1.9}) expect_consistent_derivatives(curve, t);
  EXPECT_EQ(curve.at(-3).position, 3);
  EXPECT_EQ(curve.at(-3).velocity, 0);
  EXPECT_EQ(curve.at(50).position, -1);
  EXPECT_EQ(curve.at(50).velocity, 0);
}

// A table that samples a line moves at the line's velocity between inner points.
TEST(MotionCurve, TableReproducesALineInside) {
  const MotionCurve curve({.kind = Motion::Kind::kTable, .times = {0, 1, 3, 4, 5}, .values = {0, 2, 6, 8, 10}});
  for (double t : {1.0, 1.7, 2.9, 3.5}) {
    EXPECT_NEAR(curve.at(t).position, 2 * t, 1e-14);
    EXPECT_NEAR(curve.at(t).velocity, 2, 1e-14);
  }
}

// Between two points the motion stays between their values: no overshoot where it comes to rest or turns round, and
// none where a slow piece follows a fast one.
TEST(MotionCurve, TableDoesNotOvershoot) {
  const std::vector<Motion> tables = {
      kTable,
      {.kind = Motion::Kind::kTable, .times = {0, 0.2, 1}, .values = {0, 0.3, 0.3}},
      {.kind = Motion::Kind::kTable, .times = {0, 0.1, 1, 1.1, 3}, .values = {0, 1, 1.01, 2, 2.01}},
  };
  for (const Motion& table : tables) {
    const MotionCurve curve(table);
    for (size_t i = 0; i + 1 < table.times.size(); ++i) {
      const double low = std::min(table.values[i], table.values[i + 1]);
      const double high = std::max(table.values[i], table.values[i + 1]);
      for (double x = 0; x <= 1; x += 1.0 / 64) {
        const double at = curve.at(table.times[i] + x * (table.times[i + 1] - table.times[i])).position;
        // Round-off of the polynomial.
        EXPECT_GE(at, low - 1e-14) << i << " " << x;
        EXPECT_LE(at, high + 1e-14) << i << " " << x;
      }
    }
  }
}

// One point is a constant, no point is zero; neither divides by an interval of length 0.
TEST(MotionCurve, ShortTablesAreConstant) {
  const MotionCurve one({.kind = Motion::Kind::kTable, .times = {1}, .values = {5}});
  for (double t : {0.0, 1.0, 2.0}) EXPECT_EQ(one.at(t).position, 5);
  EXPECT_EQ(one.at(1).velocity, 0);
  EXPECT_EQ(MotionCurve({.kind = Motion::Kind::kTable}).at(1).position, 0);
}

}  // namespace
}  // namespace stickslip
