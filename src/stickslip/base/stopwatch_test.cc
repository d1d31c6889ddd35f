#include "stickslip/base/stopwatch.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

TEST(Stopwatch, AgreesWithTheSystemsClock) {
  using Clock = std::chrono::steady_clock;
  double seconds = 0;
  Stopwatch watch;
  const auto start = Clock::now();
  while (Clock::now() - start < std::chrono::milliseconds(20)) {
  }
  watch.lap(seconds);
  const double expected = std::chrono::duration<double>(Clock::now() - start).count();
  EXPECT_GT(seconds, 0.0199);
  EXPECT_NEAR(seconds, expected, 1e-3 * expected + 1e-3);  // an interruption between the two readings
}

TEST(Stopwatch, LapsAddUpToTheWhole) {
  double a = 0, b = 0, whole = 0;
  Stopwatch watch, all;
  for (int i = 0; i < 1000; ++i) {
    watch.lap(a);
    watch.lap(b);
  }
  all.lap(whole);
  EXPECT_GE(a, 0);
  EXPECT_GE(b, 0);
  EXPECT_LE(a + b, whole * 1.0001 + 1e-6);
}

}  // namespace
}  // namespace stickslip
