#pragma once

#include <vector>

#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// Fills CollisionModel::free_robots, the geometries' robot, and falls_alike.
void find_free_robots(const Model& model, CollisionModel& out);

}  // namespace stickslip
