#include "stickslip/geometry/hull.h"

#include <gtest/gtest.h>

#include <set>

#include "stickslip/geometry/hull_testing.h"

namespace stickslip {
namespace {

double highest(const std::vector<Vector3d>& points, const Vector3d& direction) {
  double most = -HUGE_VAL;
  for (const Vector3d& point : points) most = std::max(most, direction.dot(point));
  return most;
}

// What must hold for every hull, whatever it was made of.
void expect_sound(const Hull& hull, const std::vector<Vector3d>& points) {
  const double tolerance = 1.01 * kFlatness * hull.radius + 1e-300;
  ASSERT_FALSE(hull.vertices.empty());
  EXPECT_EQ(hull.x.size() % 4, 0u);
  EXPECT_EQ(hull.plane_x.size() % 4, 0u);
  EXPECT_EQ(hull.vertex_first.size(), hull.vertices.size() + 1);
  EXPECT_EQ(hull.neighbor_first.size(), hull.vertices.size() + 1);
  std::set<std::tuple<double, double, double>> distinct;
  for (const Vector3d& v : hull.vertices) distinct.insert({v.x(), v.y(), v.z()});
  EXPECT_EQ(distinct.size(), hull.vertices.size());
  for (const Hull::Face& face : hull.faces) {
    EXPECT_NEAR(face.normal.norm(), 1, 1e-14);
    EXPECT_GE(face.count, 3);
    EXPECT_LE(face.count, kMaxFaceVertices);
    EXPECT_NEAR(highest(points, face.normal), face.offset, 1e-12 * hull.radius);
    for (int k = 0; k < face.count; ++k) {
      const Vector3d& vertex = hull.vertices[hull.face_vertices[face.first + k]];
      EXPECT_NEAR(face.normal.dot(vertex), face.offset, 2 * tolerance);
    }
  }
  for (std::size_t v = 0; v < hull.vertices.size() && !hull.faces.empty(); ++v) {
    EXPECT_LT(hull.vertex_first[v], hull.vertex_first[v + 1]) << "a vertex without a face";
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const Vector3d direction = random_direction(random);
    const double value = direction.dot(hull.vertices[support_vertex(hull, direction)]);
    EXPECT_NEAR(value, highest(points, direction), 1e-13 * (hull.radius + hull.center.norm()));
  }
}

TEST(Hull, BoxHasSixQuadrilaterals) {
  for (const double size : {1e-4, 1.0, 1e3}) {
    std::vector<Vector3d> points = box_corners(size * Vector3d(1, 2, 3));
    points.push_back(points[3]);                       // a duplicate
    points.push_back(size * Vector3d(0.1, 0.2, 0.3));  // inside
    points.push_back(size * Vector3d(1, 0.2, 0.3));    // on a face
    points.push_back(size * Vector3d(1, 2, 0.3));      // on an edge
    const Hull hull = make_hull(points);
    expect_sound(hull, points);
    EXPECT_EQ(hull.faces.size(), 6u);
    for (const Hull::Face& face : hull.faces) {
      EXPECT_EQ(face.count, 4);
      EXPECT_NEAR(face.normal.cwiseAbs().maxCoeff(), 1, 1e-15);
    }
    EXPECT_EQ(hull.plane_x.size(), 8u);
    EXPECT_NEAR(hull.radius, size * std::sqrt(14.0), 1e-12 * size);
    EXPECT_LT(hull.center.norm(), 1e-14 * size);
  }
}

// Coordinates rounded to float: the sides are still single faces.
TEST(Hull, FloatNoiseDoesNotBreakFacesUp) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix3d R = random_rotation(random);
    std::vector<Vector3d> points;
    for (int i = 0; i <= 6; ++i) {
      for (int j = 0; j <= 6; ++j) {
        for (int side = 0; side < 6; ++side) {
          Vector3d p;
          p[side / 2] = side % 2 ? 1 : -1;
          p[(side / 2 + 1) % 3] = i / 3.0 - 1;
          p[(side / 2 + 2) % 3] = j / 3.0 - 1;
          points.push_back((R * p).cast<float>().cast<double>());
        }
      }
    }
    const Hull hull = make_hull(points);
    expect_sound(hull, points);
    int large = 0;
    for (const Hull::Face& face : hull.faces) large += face.count == 4;
    EXPECT_EQ(large, 6) << hull.faces.size() << " faces";
  }
}

TEST(Hull, LargePolygonStaysInPieces) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 100; ++i) {
    const double angle = 2 * M_PI * i / 100;
    for (const double z : {-0.5, 0.5}) points.emplace_back(std::cos(angle), std::sin(angle), z);
  }
  const Hull hull = make_hull(points);
  expect_sound(hull, points);
  EXPECT_EQ(hull.faces.size(), 100 + 2 * 4u);  // 98 = 3 x 30 + 8 fan triangles a cap
}

TEST(Hull, SheetHasTwoFacesBackToBack) {
  std::mt19937_64 random(3);
  const Matrix3d R = random_rotation(random);
  for (const double size : {1e-4, 1.0, 1e3}) {
    std::vector<Vector3d> points;
    for (int i = 0; i < 50; ++i) points.push_back(size * (R * Vector3d(uniform(random), uniform(random), 0)));
    for (const double x : {-2, 2}) {
      for (const double y : {-1, 1}) points.push_back(size * (R * Vector3d(x, y, 0)));
    }
    const Hull hull = make_hull(points);
    expect_sound(hull, points);
    EXPECT_EQ(hull.vertices.size(), 4u);
    ASSERT_EQ(hull.faces.size(), 2u);
    EXPECT_NEAR(hull.faces[0].normal.dot(hull.faces[1].normal), -1, 1e-14);
    EXPECT_NEAR(std::abs(hull.faces[0].normal.dot(R.col(2))), 1, 1e-14);
    EXPECT_EQ(hull.vertex_neighbors.size(), 8u);
  }
}

TEST(Hull, NeedleAndPointHaveNoFaces) {
  std::mt19937_64 random(4);
  const Vector3d direction = random_direction(random);
  std::vector<Vector3d> points;
  for (int i = 0; i <= 10; ++i) points.push_back(i % 7 * direction);
  const Hull needle = make_hull(points);
  expect_sound(needle, points);
  EXPECT_EQ(needle.vertices.size(), 2u);
  EXPECT_TRUE(needle.faces.empty());
  EXPECT_NEAR(needle.radius, 3, 1e-14);
  const Hull point = make_hull({direction, direction, direction});
  expect_sound(point, {direction});
  EXPECT_EQ(point.vertices.size(), 1u);
  EXPECT_EQ(point.radius, 0);
}

TEST(Hull, ThinPlatesOfAnyThickness) {
  std::mt19937_64 random(5);
  for (double thickness = 1e-2; thickness > 1e-20; thickness *= 0.1) {
    const Matrix3d R = random_rotation(random);
    std::vector<Vector3d> points = box_corners(Vector3d(1, 2, thickness));
    for (Vector3d& point : points) point = R * point;
    const Hull hull = make_hull(points);
    expect_sound(hull, points);
    if (thickness > 5e-10) {
      EXPECT_EQ(hull.faces.size(), 6u) << thickness;
    }
  }
}

TEST(Hull, LargeHullClimbsToTheHighestVertex) {
  std::mt19937_64 random(6);
  std::vector<Vector3d> points = points_on_sphere(random, 5000, 0.1);
  for (Vector3d& point : points) point = point.cwiseProduct(Vector3d(1, 3, 0.1));
  const Hull hull = make_hull(points);
  EXPECT_GT(static_cast<int>(hull.vertices.size()), kMaxScannedVertices);
  expect_sound(hull, points);
  // Along the axes and diagonals of a finely divided box every face is a plateau.
  points.clear();
  for (int i = 0; i < 20000; ++i) {
    Vector3d p = random_vector(random);
    Vector3d::Index side;
    p.cwiseAbs().maxCoeff(&side);
    p[side] = p[side] > 0 ? 1 : -1;
    points.push_back(p);
  }
  const Hull box = make_hull(points);
  for (int i = 1; i < 27; ++i) {
    const Vector3d direction(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    EXPECT_NEAR(direction.dot(box.vertices[support_vertex(box, direction)]), highest(points, direction), 1e-14);
  }
}

TEST(Hull, HundredThousandVertices) {
  std::mt19937_64 random(7);
  const std::vector<Vector3d> points = points_on_sphere(random, 100000, 1);
  const Hull hull = make_hull(points);
  EXPECT_GT(hull.vertices.size(), 90000u);
}

}  // namespace
}  // namespace stickslip
