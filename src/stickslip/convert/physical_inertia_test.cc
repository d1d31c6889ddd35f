#include "stickslip/convert/physical_inertia.h"

#include <gtest/gtest.h>

namespace stickslip::convert {
namespace {

Matrix3d turned(const Vector3d& moments) {
  const Matrix3d R = Quaterniond(0.5, 0.1, -0.7, 0.3).normalized().toRotationMatrix();
  return R * moments.asDiagonal() * R.transpose();
}

TEST(PhysicalInertia, LeavesRealMatterAlone) {
  const Matrix3d inertia = turned({1, 2, 2.5});
  const PhysicalInertia out = physical_inertia(inertia);
  EXPECT_FALSE(out.changed);
  EXPECT_TRUE((out.axes * out.moments.asDiagonal() * out.axes.transpose()).isApprox(inertia, 1e-14));
}

// A thin rod and a flat plate stand on the bound itself: round-off must not push them over it.
TEST(PhysicalInertia, KeepsPlatesAndRodsWithinTheBound) {
  for (const Vector3d& moments : {Vector3d(1, 2, 3), Vector3d(0, 0.1, 0.1), Vector3d(0.1, 0.2, 0.1 + 0.2)}) {
    const PhysicalInertia out = physical_inertia(turned(moments));
    EXPECT_FALSE(out.changed);
    EXPECT_GE(out.moments[0] + out.moments[1], out.moments[2]);
    EXPECT_GE(out.moments[0], 0);
  }
}

// (1, 1, 5) has an excess of 3; the nearest moments that matter can have are (2, 2, 4).
TEST(PhysicalInertia, TakesTheNearestMomentsThatMatterCanHave) {
  const PhysicalInertia out = physical_inertia(turned({1, 1, 5}));
  EXPECT_TRUE(out.changed);
  EXPECT_NEAR(out.change, 0.2, 1e-12);
  EXPECT_TRUE(out.moments.isApprox(Vector3d(2, 2, 4), 1e-12));
  EXPECT_TRUE(is_physical(out.axes * out.moments.asDiagonal() * out.axes.transpose()));
  EXPECT_TRUE(physical_inertia(turned({-1, 1, 1})).changed);
}

}  // namespace
}  // namespace stickslip::convert
