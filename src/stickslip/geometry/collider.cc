#include "stickslip/geometry/collider.h"

#include <cmath>
#include <limits>

#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

Collider with_half(ColliderKind kind, const Vector3d& half, const Vector3d& box_half) {
  return {.kind = kind, .half = half, .box = {-box_half, box_half}};
}

// The mesh's vertices that a triangle uses, or all if it has no triangles (a cloud of points).
std::vector<Vector3d> used_vertices(const Mesh& mesh) {
  if (mesh.triangles.empty()) return mesh.vertices;
  std::vector<bool> used(mesh.vertices.size(), false);
  for (const std::array<int, 3>& triangle : mesh.triangles)
    for (int v : triangle) used[v] = true;
  std::vector<Vector3d> points;
  for (std::size_t i = 0; i < used.size(); ++i)
    if (used[i]) points.push_back(mesh.vertices[i]);
  return points;
}

struct Maker {
  Collider operator()(const HalfSpace&) const {
    return with_half(ColliderKind::kHalfSpace, Vector3d::Zero(), Vector3d::Constant(kInfinite));
  }
  Collider operator()(const Sphere& s) const {
    const Vector3d half = Vector3d::Constant(s.radius);
    return with_half(ColliderKind::kSphere, half, half);
  }
  Collider operator()(const Box& s) const { return with_half(ColliderKind::kBox, 0.5 * s.size, 0.5 * s.size); }
  Collider operator()(const Capsule& s) const {
    const Vector3d half(s.radius, s.radius, 0.5 * s.length);
    return with_half(ColliderKind::kCapsule, half, half + Vector3d(0, 0, s.radius));
  }
  Collider operator()(const Cylinder& s) const {
    const Vector3d half(s.radius, s.radius, 0.5 * s.length);
    return with_half(ColliderKind::kCylinder, half, half);
  }
  Collider operator()(const Ellipsoid& s) const { return with_half(ColliderKind::kEllipsoid, s.radii, s.radii); }
  Collider operator()(const ConvexMesh& s) const { return make_hull_collider(*s.mesh); }
  Collider operator()(const TriangleMesh& s) const {
    Collider collider{.kind = ColliderKind::kTriangleMesh, .surface = make_triangle_surface(*s.mesh)};
    collider.box = collider.surface->box;
    return collider;
  }
  Collider operator()(const HeightField& s) const {
    Collider collider{.kind = ColliderKind::kHeightField, .terrain = make_terrain(s)};
    collider.box = collider.terrain->box;
    return collider;
  }
};

// |R| half: how far an oriented box reaches along the axes.
Vector3d reach_of_box(const Matrix3d& R, const Vector3d& half) { return R.cwiseAbs() * half; }

Aabb half_space_box(const Placed& placed) {
  Aabb box{Vector3d::Constant(-kInfinite), Vector3d::Constant(kInfinite)};
  const Vector3d normal = placed.R.col(2);
  for (int axis = 0; axis < 3; ++axis) {
    if (normal[axis] == 1) box.upper[axis] = placed.p[axis];
    if (normal[axis] == -1) box.lower[axis] = placed.p[axis];
  }
  return box;
}

Aabb hull_box(const Placed& placed) {
  const Hull& hull = *placed.shape->hull;
  Aabb box;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d direction = placed.R.row(axis);
    box.upper[axis] = placed.p[axis] + direction.dot(hull.vertices[support_vertex(hull, direction)]);
    box.lower[axis] = placed.p[axis] + direction.dot(hull.vertices[support_vertex(hull, -direction)]);
  }
  return box;
}

Aabb turned_box(const Placed& placed) {
  const Vector3d center = placed.R * placed.shape->box.center() + placed.p;
  const Vector3d reach = reach_of_box(placed.R, placed.shape->box.half());
  return {center - reach, center + reach};
}

// How far a shape that is symmetric about its origin reaches along the axes.
Vector3d symmetric_reach(const Collider& shape, const Matrix3d& R) {
  const Vector3d& half = shape.half;
  switch (shape.kind) {
    case ColliderKind::kSphere:
      return half;
    case ColliderKind::kCapsule:
      return R.col(2).cwiseAbs() * half.z() + Vector3d::Constant(half.x());
    case ColliderKind::kCylinder: {
      const Vector3d across = (1 - R.col(2).array().square()).max(0).sqrt();
      return R.col(2).cwiseAbs() * half.z() + half.x() * across;
    }
    case ColliderKind::kEllipsoid:
      return (R * half.asDiagonal()).rowwise().norm();
    default:
      return reach_of_box(R, half);
  }
}

// In the shape's frame, for a direction of any length but zero.
}  // namespace

const char* collider_kind_name(ColliderKind kind) {
  constexpr const char* kNames[kColliderKinds] = {"half_space",  "sphere",        "capsule",
                                                  "box",         "cylinder",      "ellipsoid",
                                                  "convex_mesh", "triangle_mesh", "height_field"};
  return kNames[static_cast<int>(kind)];
}

double Collider::bounding_radius() const {
  switch (kind) {
    case ColliderKind::kHalfSpace:
      return std::numeric_limits<double>::infinity();
    case ColliderKind::kSphere:
    case ColliderKind::kEllipsoid:
      return half.maxCoeff();
    case ColliderKind::kCapsule:
      return half.x() + half.z();
    case ColliderKind::kCylinder:
      return std::hypot(half.x(), half.z());
    default:
      return box.half().norm();
  }
}

double Collider::scale() const { return kind == ColliderKind::kHalfSpace ? 1 : box.half().norm(); }

Collider make_hull_collider(const Mesh& mesh) {
  Collider collider{.kind = ColliderKind::kHull};
  collider.hull = std::make_shared<const Hull>(make_hull(used_vertices(mesh)));
  for (const Vector3d& vertex : collider.hull->vertices) collider.box.include(vertex);
  collider.half = collider.box.half();
  return collider;
}

Collider make_collider(const Shape& shape) { return std::visit(Maker{}, shape); }

Vector3d move_to_local_origin(Placed& a, Placed& b) {
  const Vector3d origin = a.shape->is_convex() ? a.p : b.p;
  a.p -= origin;
  b.p -= origin;
  return origin;
}

Aabb bounding_box(const Placed& placed) {
  const Collider& shape = *placed.shape;
  switch (shape.kind) {
    case ColliderKind::kHalfSpace:
      return half_space_box(placed);
    case ColliderKind::kHull:
      return hull_box(placed);
    case ColliderKind::kTriangleMesh:
    case ColliderKind::kHeightField:
      return turned_box(placed);
    default: {
      const Vector3d reach = symmetric_reach(shape, placed.R);
      return {placed.p - reach, placed.p + reach};
    }
  }
}

Vector3d local_support(const Collider& shape, const Vector3d& d) {
  const Vector3d& half = shape.half;
  const auto side = [](double x, double h) { return std::copysign(h, x); };
  switch (shape.kind) {
    case ColliderKind::kSphere:
      return half.x() * d.normalized();
    case ColliderKind::kCapsule:
      return half.x() * d.normalized() + Vector3d(0, 0, side(d.z(), half.z()));
    case ColliderKind::kCylinder: {
      constexpr double kSquares = 1e-140;  // the squares of less have lost digits
      const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
      const double scale = across > kSquares ? half.x() / across : 0;
      return {scale * d.x(), scale * d.y(), side(d.z(), half.z())};
    }
    case ColliderKind::kEllipsoid: {
      const Vector3d scaled = half.cwiseProduct(d);
      return half.cwiseProduct(scaled) / scaled.norm();
    }
    case ColliderKind::kHull:
      return shape.hull->vertices[support_vertex(*shape.hull, d)];
    default:
      return {side(d.x(), half.x()), side(d.y(), half.y()), side(d.z(), half.z())};
  }
}

Vector3d support_point(const Placed& placed, const Vector3d& direction) {
  return placed.R * local_support(*placed.shape, placed.R.transpose() * direction) + placed.p;
}

}  // namespace stickslip
