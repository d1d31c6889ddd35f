#pragma once

#include <vector>

#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// Among the pairs that may collide and that the model does not list. What collides of a mesh is its convex hull, and
// the hulls of two links often overlap where the links do not; docs/decisions/overlapping_links.md.
std::vector<StartOverlap> find_start_overlaps(const Model& model, const CollisionModel& collision);

// One for each link that overlaps others before it.
std::vector<Warning> warnings_of(const std::vector<StartOverlap>& overlaps, const Model& model);

// The same scene with these pairs, and those of families, among its exclusions, and the warnings, for formats that
// cannot say which bodies are one robot or family.
Scene exclude_start_overlaps(Scene scene);

}  // namespace stickslip
