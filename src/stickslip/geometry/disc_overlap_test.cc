#include "stickslip/geometry/disc_overlap.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

// The top of a cylinder of radius 1 at the origin, or the bottom of one beside it.
struct Disc : SupportFaces {
  Disc(double x, double z, bool top) {
    const Collider shape{.kind = ColliderKind::kCylinder, .half = {1, 1, 0.5}};
    const Vector3d up = top ? Vector3d(0, 0, 1) : Vector3d(0, 0, -1);
    support_faces({&shape, Matrix3d::Identity(), {x, 0, z - 0.5 * up.z()}}, up, *this);
  }
};

struct Square : SupportFaces {
  Square(double half, const Vector3d& center) {
    add_face(1, -Vector3d::UnitZ());
    constexpr int kCorner[4][2] = {{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};  // counter-clockwise seen from below
    for (int i = 0; i < 4; ++i) add_vertex(center + half * Vector3d(kCorner[i][0], kCorner[i][1], 0), i);
  }
};

Vector3d mean(const OverlapPoints& overlap) {
  Vector3d sum = Vector3d::Zero();
  for (int i = 0; i < overlap.count; ++i) sum += overlap.points[i].weight * overlap.points[i].point_a;
  return sum;
}

TEST(DiscOverlap, OfADiscOnALargeSquareIsItsEightPoints) {
  OverlapPoints overlap;
  overlap_disc(Disc(0, 0, true).face[0], Square(3, {0.2, 0.3, -0.1}).face[0], Vector3d::UnitZ(), true, overlap);
  ASSERT_EQ(overlap.count, 8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_NEAR(overlap.points[i].weight, 0.125, 1e-15);
    EXPECT_NEAR(overlap.points[i].point_a.norm(), 1, 1e-15);
    EXPECT_NEAR(overlap.points[i].distance, -0.1, 1e-15);
  }
}

// A corner of the square in the middle of the disc: a quarter of the disc, its corner and where two sides cross the
// rim.
TEST(DiscOverlap, OfAQuarterHasItsCorners) {
  OverlapPoints overlap;
  overlap_disc(Disc(0, 0, true).face[0], Square(3, {3, 3, 0}).face[0], Vector3d::UnitZ(), true, overlap);
  int corners = 0;
  for (int i = 0; i < overlap.count; ++i) {
    const Vector3d& p = overlap.points[i].point_a;
    EXPECT_GE(p.minCoeff(), -1e-12);
    EXPECT_LE(p.norm(), 1 + 1e-12);
    for (const Vector3d& corner : {Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)})
      corners += (p - corner).norm() < 1e-12;
  }
  EXPECT_EQ(corners, 3);
}

// One disc slides off another: points and weights follow, also when a cut passes one of the rim's points.
TEST(DiscOverlap, OfTwoDiscsVariesContinuously) {
  constexpr int kSteps = 20000;
  OverlapPoints overlap;
  Vector3d before;
  for (int i = 0; i <= kSteps; ++i) {
    const double x = 1.99 * i / kSteps;
    overlap.count = 0;
    overlap_disc(Disc(0, 0, true).face[0], Disc(x, 0, false).face[0], Vector3d::UnitZ(), true, overlap);
    ASSERT_GT(overlap.count, 0);
    double sum = 0;
    for (int k = 0; k < overlap.count; ++k) {
      sum += overlap.points[k].weight;
      EXPECT_LE(overlap.points[k].point_a.norm(), 1 + 1e-12);
      EXPECT_LE((overlap.points[k].point_a - Vector3d(x, 0, 0)).norm(), 1 + 1e-12);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    const Vector3d now = mean(overlap);
    EXPECT_NEAR(now.x(), 0.5 * x, 0.012);  // the middle of the lens; one disc is drawn with straight sides
    if (i > 0) {
      EXPECT_LT((now - before).norm(), 2e-3);  // steps of 1e-4, of a rim that is cut steeply at the ends
    }
    before = now;
  }
}

}  // namespace
}  // namespace stickslip
