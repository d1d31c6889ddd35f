#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "stickslip/geometry/separation.h"

namespace stickslip {

constexpr int kMaxManifoldPoints = 8;

// One point of a contact. All points of a manifold share its normal. Left uninitialised: arrays of them are scratch.
struct ManifoldPoint {
  Vector3d point_a;       // on A's surface
  double distance;        // along the normal: B's surface is at point_a + distance * normal
  double weight;          // share of the pair's stiffness
  std::uint64_t feature;  // which vertices and edges made it: the same one keeps its number while it lasts
};

// Where two shapes touch, or would: the overlap of the two faces that look at each other, seen along the normal.
// Weights sum to one and vary continuously with the poses (each vertex has half of its two edges' share of the
// perimeter). The polygon is not trimmed by distance.
struct Manifold {
  Vector3d normal = Vector3d::UnitZ();  // from A to B
  int count = 0;
  std::array<ManifoldPoint, kMaxManifoldPoints> points;
};

// The first of several; there must be one.
inline const ManifoldPoint& deepest_point(std::span<const ManifoldPoint> points) {
  return *std::min_element(points.begin(), points.end(),
                           [](const ManifoldPoint& a, const ManifoldPoint& b) { return a.distance < b.distance; });
}
inline const ManifoldPoint& deepest_point(const Manifold& manifold) {
  return deepest_point(std::span(manifold.points.data(), manifold.count));
}

// An overlap with a perimeter below this part of the smaller shape's scale gives way to the separation's own point, so
// that nothing jumps when it vanishes.
constexpr double kSmallOverlap = 1e-3;

// Points of overlaps can miss the deepest point: where a line contact bends over a polygon's corner, or on a disc's
// rim that is cut; or have next to no weight there. Then it is added with a weight that grows with what is missing, so
// that nothing jumps when it comes and goes.
constexpr double kFullyMissing = 1e-4;   // of the scale: a point that much less deep does not stand for the deepest
constexpr double kFullWeight = 0.02;     // nor does one without weight; from this weight on it does
constexpr double kSomeWeight = 1e-3;     // from here on a point can be given what is missing
constexpr double kMissing = 1e-6;        // less is round-off
constexpr double kMissingWeight = 0.25;  // of the deepest point where all of it is missing

// Convex shapes, or a half-space as A. `between` is their separation.
void make_manifold(const Placed& a, const Placed& b, const Separation& between, Manifold& manifold);

// The same from the faces that look at each other; `scale` is the size of the smaller shape.
struct SupportFaces;
void make_manifold(const SupportFaces& a, const SupportFaces& b, const Separation& between, double scale,
                   Manifold& manifold);

}  // namespace stickslip
