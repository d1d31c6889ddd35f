#include "stickslip/contact/friction.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

TEST(SoftNorm, KeepsItsDigitsForTinySlip) {
  const double e = 1e-4, x = 1e-12;
  EXPECT_DOUBLE_EQ(SoftNorm<double>(x * x, e).value, x * x / (2 * e));
  EXPECT_EQ(SoftNorm<double>(0, e).value, 0);
}

// mu_s at rest, mu_d when sliding; the peak of mu(s) f(s) is 0.98 mu_s for mu_d = mu_s/2.
TEST(FrictionCoefficient, GoesFromStaticToDynamic) {
  EXPECT_DOUBLE_EQ(friction_coefficient(1, 0.5, 0), 1);
  EXPECT_NEAR(friction_coefficient(1, 0.5, 1e6), 0.5, 1e-9);
  double peak = 0;
  for (double s = 0; s < 50; s += 1e-3) peak = std::max(peak, friction_coefficient(1, 0.5, s) * friction_share(s));
  EXPECT_NEAR(peak, 0.980, 2e-3);
}

TEST(ContactMode, SticksBelowSevenStictionTolerances) {
  EXPECT_EQ(contact_mode(0, 0, 1e-4), ContactMode::kOpen);
  EXPECT_EQ(contact_mode(1, 6.9e-4, 1e-4), ContactMode::kStick);
  EXPECT_EQ(contact_mode(1, 7.2e-4, 1e-4), ContactMode::kSlip);
}

}  // namespace
}  // namespace stickslip
