#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/contact/friction.h"
#include "stickslip/math/types.h"

namespace stickslip {

// One contact of an accepted step, world axes.
struct ContactResult {
  int body_a = 0, body_b = 0;
  int geometry_a = 0, geometry_b = 0;  // indices into CollisionModel::geometries
  std::uint64_t feature = 0;
  Vector3d point = Vector3d::Zero();
  Vector3d normal = Vector3d::Zero();  // from A to B
  double depth = 0;                    // at the start of the step; positive where they overlap [m]
  Vector3d force = Vector3d::Zero();   // on B: the step's impulse over h [N]
  Vector3d slip = Vector3d::Zero();    // tangential v_B - v_A at the end of the step [m/s]
  ContactMode mode = ContactMode::kOpen;
};

}  // namespace stickslip
