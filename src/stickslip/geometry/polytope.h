#pragma once

#include <cstdint>

#include "stickslip/geometry/simplex.h"

namespace stickslip {

// A growing convex polytope of triangles inside B - A. Fixed capacity, on the stack.
class Polytope {
 public:
  static constexpr int kMaxPoints = 256;
  static constexpr int kMaxFaces = 2 * kMaxPoints;

  struct Face {
    Vector3d normal;  // outward, unit; zero if the triangle is degenerate
    std::array<std::int16_t, 3> corner;
    std::array<std::int16_t, 3> across;  // the face beyond the edge from corner k to k + 1
  };

  // `tolerance`: a point this far above a face's plane still counts as in it.
  explicit Polytope(double tolerance) : tolerance_(tolerance) {}

  // One tetrahedron, or two joined by the triangle of the first three points.
  void start(const DifferencePoint* points, int count);

  // Grows by a point beyond a face. False if the capacity is used up or round-off has spoilt the surface.
  bool add(const DifferencePoint& point, int face);

  int point_count() const { return point_count_; }
  const DifferencePoint& point(int index) const { return points_[index]; }
  int face_count() const { return face_count_; }
  const Face& face(int index) const { return faces_[index]; }
  const DifferencePoint& corner(int face, int k) const { return points_[faces_[face].corner[k]]; }

  // The face whose plane is least far out from the origin.
  int nearest_face() const;
  double offset(int face) const { return offsets_[face]; }
  void set_offset(int face, double offset) { offsets_[face] = offset; }

 private:
  struct Edge {
    std::int16_t face, side;
  };

  int new_face(int a, int b, int c);
  bool sees(const DifferencePoint& point, int face) const;
  int find_horizon(const DifferencePoint& point, int face);
  void link(int face, int side, int other, int other_side);
  int side_towards(int face, int other) const;

  double tolerance_;
  int point_count_ = 0, face_count_ = 0, free_count_ = 0;
  std::array<DifferencePoint, kMaxPoints> points_;
  std::array<Face, kMaxFaces> faces_;
  std::array<double, kMaxFaces> offsets_;  // normal . w; infinite where there is no face, or a degenerate one
  std::array<bool, kMaxFaces> is_gone_;
  std::array<std::int16_t, kMaxFaces> free_;
  std::array<Edge, kMaxFaces> horizon_;  // counter-clockwise seen from outside, by the faces that stay
};

}  // namespace stickslip
