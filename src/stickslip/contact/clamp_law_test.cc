#include "stickslip/contact/clamp_law.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace stickslip {
namespace {

// By central differences, across both bounds; bounds that do not enclose zero too.
TEST(ClampLaw, PotentialIsAConvexAntiderivativeOfTheImpulse) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const ClampLaw& law : {ClampLaw{0.3, 2, -1, 1.5}, ClampLaw{-0.2, 50, 0.5, 2},
                              ClampLaw{0, 3, -infinity, infinity}, ClampLaw{1, 4, -infinity, 0}}) {
    const double e = 1e-5;
    for (double v = -3; v < 3; v += 0.0137) {
      const double slope = (law.potential(v + e) - law.potential(v - e)) / (2 * e);
      EXPECT_NEAR(slope, -law.impulse(v), 1e-4 * (1 + law.c)) << v;
      EXPECT_LE(law.potential(v), 0.5 * (law.potential(v - 0.5) + law.potential(v + 0.5)) + 1e-12);
      EXPECT_GE(law.stiffness(v), 0);
    }
  }
}

TEST(ClampLaw, IsFlatAtItsBounds) {
  const ClampLaw law{0, 10, -1, 1};
  EXPECT_EQ(law.impulse(5), -1);
  EXPECT_EQ(law.stiffness(5), 0);
  EXPECT_EQ(law.stiffness(0.05), 10);
}

}  // namespace
}  // namespace stickslip
