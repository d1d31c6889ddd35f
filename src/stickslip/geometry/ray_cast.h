#pragma once

#include <limits>
#include <optional>

#include "stickslip/geometry/collider.h"

namespace stickslip {

struct Ray {
  Vector3d origin = Vector3d::Zero();
  Vector3d direction = Vector3d::UnitX();  // unit
  double max_distance = std::numeric_limits<double>::infinity();
};

struct RayHit {
  double distance = 0;
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::UnitZ();  // of the surface, unit, towards the side the ray comes from
};

// Where a ray first meets the surface of a shape, in the axes of the pose; none within its length: nothing. Surfaces
// are met from both sides: a ray that starts inside a solid meets the surface where it leaves. A height field's surface
// is that of the solid, with its walls and its base.
std::optional<RayHit> ray_cast(const Placed& placed, const Ray& ray);

}  // namespace stickslip
