#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "stickslip/geometry/aabb.h"

namespace stickslip {

// How the surface goes on across an edge of a triangle, seen from the front.
enum class EdgeKind : std::uint8_t {
  kConvex,   // it falls away: a ridge
  kFlat,     // the neighbour is in the same plane: the edge is only there because surfaces are made of triangles
  kConcave,  // it rises: a valley
  kBorder    // it ends
};

// Two triangles whose planes differ by less are flat [rad]. Vertices in single precision leave angles of about 1e-6
// between triangles that are meant to be coplanar; what a merged angle of 1e-5 hides is 10 um over a metre.
constexpr double kFlatAngle = 1e-5;

// A piece of a surface that bodies touch, in the surface's frame. Edge k goes from vertex k to vertex k + 1.
struct SurfaceTriangle {
  std::array<Vector3d, 3> vertex;
  Vector3d normal = Vector3d::UnitZ();  // unit, to the front (counter-clockwise)
  // The neighbour's unit normal across each edge; across a border: where the surface looks there, away from the
  // triangle in its own plane (the edge of a sheet) or out of the wall (the edge of a terrain).
  std::array<Vector3d, 3> edge_normal;
  std::array<EdgeKind, 3> edge = {};
  std::array<int, 3> neighbor = {-1, -1, -1};  // index of the triangle across each edge; -1: none
  std::array<int, 3> vertex_index = {};        // of its vertices in the surface
  int index = 0;
  int facet = 0;  // the lowest index among the triangles that flat edges connect with it: they are one face
};

// Numbers `count` triangles by the facet they belong to. visit_flat(i, visit) calls visit(j) for each neighbour j of i
// across a flat edge.
template <class VisitFlat>
std::vector<int> label_facets(int count, VisitFlat&& visit_flat) {
  std::vector<int> facet(count, -1), waiting;
  for (int seed = 0; seed < count; ++seed) {
    if (facet[seed] >= 0) continue;
    facet[seed] = seed;
    waiting.push_back(seed);
    while (!waiting.empty()) {
      const int i = waiting.back();
      waiting.pop_back();
      visit_flat(i, [&](int j) {
        if (facet[j] >= 0) return;
        facet[j] = seed;
        waiting.push_back(j);
      });
    }
  }
  return facet;
}

inline Aabb box_of(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
}

// The kind of the edge a-b of a triangle with normal n (counter-clockwise), whose neighbour has the normal
// `other_normal` and the third vertex `opposite`.
inline EdgeKind edge_kind(const Vector3d& a, const Vector3d& b, const Vector3d& n, const Vector3d& other_normal,
                          const Vector3d& opposite) {
  const double sine = n.cross(other_normal).dot((b - a).normalized());  // positive: other_normal leans outward
  if (n.dot(other_normal) > 0 && std::abs(sine) < kFlatAngle) return EdgeKind::kFlat;
  // Folded all the way the two normals are opposite and the sine is noise: on which side is the fold?
  if (std::abs(sine) < kFlatAngle) return n.dot(opposite - a) > 0 ? EdgeKind::kConcave : EdgeKind::kConvex;
  return sine > 0 ? EdgeKind::kConvex : EdgeKind::kConcave;
}

}  // namespace stickslip
