#pragma once

#include <cstdint>
#include <memory>

#include "stickslip/geometry/aabb.h"
#include "stickslip/geometry/hull.h"
#include "stickslip/math/pose.h"
#include "stickslip/shapes/shape.h"

namespace stickslip {

struct TriangleSurface;  // triangle_surface.h
struct Terrain;          // terrain.h

// The order is that of pairs: of two colliders of different kinds, A is the one whose kind comes first.
enum class ColliderKind : std::uint8_t {
  kHalfSpace,
  kSphere,
  kCapsule,
  kBox,
  kCylinder,
  kEllipsoid,
  kHull,
  kTriangleMesh,
  kHeightField
};
constexpr int kColliderKinds = 9;
const char* collider_kind_name(ColliderKind kind);  // "half_space", ... as in scene files; a hull is "convex_mesh"

// A shape prepared for queries, in its own frame.
struct Collider {
  ColliderKind kind = ColliderKind::kSphere;
  // Half extents: box: half sides; sphere: (r, r, r); ellipsoid: radii; cylinder, capsule: (r, r, half length), where a
  // capsule's length is that of its cylindrical part.
  Vector3d half = Vector3d::Zero();
  std::shared_ptr<const Hull> hull;                // kHull
  std::shared_ptr<const TriangleSurface> surface;  // kTriangleMesh
  std::shared_ptr<const Terrain> terrain;          // kHeightField
  Aabb box;                                        // in its own frame; infinite for a half-space

  bool is_convex() const { return kind < ColliderKind::kTriangleMesh && kind != ColliderKind::kHalfSpace; }
  double radius() const { return half.x(); }  // of spheres, capsules and cylinders
  double bounding_radius() const;             // of a ball about the box's centre; infinite for a half-space
  double scale() const;                       // a typical length: half the box's diagonal; 1 for a half-space
};

Collider make_collider(const Shape& shape);

// The convex hull of any mesh, flat ones too.
Collider make_hull_collider(const Mesh& mesh);

// A collider somewhere in space.
struct Placed {
  const Collider* shape = nullptr;
  Matrix3d R = Matrix3d::Identity();
  Vector3d p = Vector3d::Zero();
};

// Far from the world's origin digits are lost: queries of two shapes are made relative to one of them. Moves both so,
// and returns what to add to points of the answer. A half-space's or a surface's own origin may be far from where they
// meet.
Vector3d move_to_local_origin(Placed& a, Placed& b);

// In the axes of the pose; tight for convex shapes (a half-space's is infinite unless its plane is along an axis).
Aabb bounding_box(const Placed& placed);

// The point farthest along a direction d that is not zero, in the shape's frame; and the same in the axes of the pose.
// Convex shapes only.
Vector3d local_support(const Collider& shape, const Vector3d& d);
Vector3d support_point(const Placed& placed, const Vector3d& direction);

}  // namespace stickslip
