#pragma once

#include <optional>
#include <vector>

#include "stickslip/geometry/find_contacts.h"
#include "stickslip/geometry/ray_cast.h"

// Questions about a whole scene. Filters do not apply: what a user asks about is answered.
namespace stickslip {

struct BodyDistance {
  double distance = 0;                   // negative: they overlap by this depth
  Vector3d point_a = Vector3d::Zero();   // on A's surface, world axes
  Vector3d point_b = Vector3d::Zero();   // on B's
  int geometry_a = -1, geometry_b = -1;  // indices into CollisionModel::geometries
};

// The nearest, or most deeply overlapping, geometries of two bodies. None if a body has no geometry that collides, or
// only such as have no distance between them (half-spaces, triangle meshes and height fields among themselves).
std::optional<BodyDistance> body_distance(const CollisionModel& model, const Kinematics& kinematics, int body_a,
                                          int body_b);

struct SceneRayHit {
  RayHit hit;
  int geometry = -1;  // index into CollisionModel::geometries
  int body = -1;
};

// The first geometry that a ray meets. `ignored_body`: whose geometry it passes through (the body a sensor sits on);
// -1: none.
std::optional<SceneRayHit> cast_ray(const CollisionModel& model, const Kinematics& kinematics, const Ray& ray,
                                    int ignored_body = -1);

struct BodyOverlap {
  int body_a = 0, body_b = 0;  // body_a < body_b
  double depth = 0;            // of the deepest contact point
};

// Bodies that overlap and may collide; each pair once, ascending.
void find_overlaps(const CollisionModel& model, const Kinematics& kinematics, std::vector<BodyOverlap>& overlaps,
                   ContactWorkspace& workspace);

}  // namespace stickslip
