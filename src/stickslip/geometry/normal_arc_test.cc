#include "stickslip/geometry/normal_arc.h"

#include <gtest/gtest.h>

#include "stickslip/geometry/convex_testing.h"
#include "stickslip/model/forest_testing.h"

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

// Ellipsoids have formulas of their own. Their best turn is where the gain of any body, by its support function, falls
// through zero: to the round-off of lengths of 1, which the gain at neighbouring turns is made of.
TEST(NormalArc, BestTurnOfAnEllipsoidIsWhereItsGainFalls) {
  int within = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    forest_testing::Random random(seed);
    const Collider shape = test_ellipsoid(Vector3d(0.2, 0.2, 0.2) + 0.8 * random.vector().cwiseAbs());
    const Placed body{&shape, random.pose().rotation, random.vector()};
    NormalArc arc{random.vector().normalized(), {}, {}, random.vector()};
    arc.ahead = arc.start.unitOrthogonal();
    const double whole = random.uniform(0.01, 3);
    arc.end = {std::cos(whole), std::sin(whole)};
    if (!(gain(body, arc, {}) > 0)) continue;
    const Turn best = best_turn(body, arc);
    if (best.sine_to(arc.end) < 1e-9) continue;
    ++within;
    EXPECT_NEAR(gain(body, arc, best), 0, 1e-13) << seed;
    const double angle = best.angle();
    const Turn before{std::cos(angle - 1e-4), std::sin(angle - 1e-4)},
        after{std::cos(angle + 1e-4), std::sin(angle + 1e-4)};
    EXPECT_GE(gain(body, arc, before), 0) << seed;
    EXPECT_LE(gain(body, arc, after), 0) << seed;
  }
  EXPECT_GT(within, 300);
}

}  // namespace
}  // namespace stickslip
