#include "stickslip/geometry/normal_arc.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

// Squares of lengths below 1e-154 have few digits left, below 1e-162 none.
TEST(NormalArc, TurnTowardsAnyDirectionIsUnitAndInItsDirection) {
  for (const double length : {1.0, 1e-100, 1e-155, 1e-161, 1e-162, 1e-200, 1e-305}) {
    for (const double angle : {0.0, 1e-8, 0.3, 1.5, 3.0, -2.0}) {
      const Turn turn = turn_towards(length * std::cos(angle), length * std::sin(angle));
      EXPECT_NEAR(turn.cosine, std::cos(angle), 1e-15) << length;
      EXPECT_NEAR(turn.sine, std::sin(angle), 1e-15) << length;
    }
  }
  EXPECT_EQ(turn_towards(0, 0).cosine, 1);
}

}  // namespace
}  // namespace stickslip
