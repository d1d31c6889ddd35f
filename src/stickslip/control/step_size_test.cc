#include "stickslip/control/step_size.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stickslip {
namespace {

constexpr StepSizeRule kRule;

// An error c h^p is met by the h that the rule finds in one go, less the safety.
TEST(StepSize, FindsTheStepThatMeetsTheAccuracy) {
  for (int order : {1, 2, 3}) {
    const double c = 3.7, accuracy = 1e-4, h = 2e-2;
    const double ideal = ideal_step(h, c * std::pow(h, order), accuracy, order, kRule) / kRule.safety;
    EXPECT_NEAR(c * std::pow(ideal, order), accuracy, 1e-16);
  }
}

TEST(StepSize, SmallChangesAreNone) {
  const auto next = [](double error) { return next_step(1, error, 1, 2, kRule); };
  EXPECT_EQ(next(0.81), 1);    // proposes exactly 1.0
  EXPECT_EQ(next(0.60), 1);    // 1.16
  EXPECT_EQ(next(0.97), 1);    // 0.914
  EXPECT_GT(next(0.50), 1.2);  // 1.27
}

TEST(StepSize, GrowthAndShrinkageAreBounded) {
  EXPECT_EQ(next_step(1, 1e-30, 1, 2, kRule), kRule.growth);
  EXPECT_EQ(next_step(1, 0, 1, 2, kRule), kRule.growth);
  EXPECT_EQ(shorter_step(1, 1e30, 1, 2, kRule), kRule.shrinkage);
  EXPECT_EQ(shorter_step(1, std::numeric_limits<double>::quiet_NaN(), 1, 2, kRule), kRule.shrinkage);
  EXPECT_EQ(shorter_step(1, std::numeric_limits<double>::infinity(), 1, 2, kRule), kRule.shrinkage);
  // A step that was rejected never comes back as it was.
  EXPECT_LE(shorter_step(1, 1.0001, 1, 2, kRule), kRule.safety);
}

}  // namespace
}  // namespace stickslip
