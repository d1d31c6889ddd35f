#pragma once

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/broad_phase.h"
#include "stickslip/geometry/collision_model.h"
#include "stickslip/geometry/contact_set.h"
#include "stickslip/geometry/inner_reach.h"
#include "stickslip/geometry/manifold.h"
#include "stickslip/geometry/pair_material_cache.h"
#include "stickslip/geometry/surface_contacts.h"

namespace stickslip {

// Memory that a query reuses. Its content makes the next one faster and never changes a result.
struct ContactWorkspace {
  BroadPhase broad_phase;
  std::vector<Placed> placed;  // of each geometry, and its box
  std::vector<Aabb> boxes;
  std::vector<std::pair<int, int>> pairs;
  std::vector<Manifold> manifolds;
  SurfaceWorkspace surface;
  PairMaterialCache materials;
};

// Every contact of the scene, of all pairs of geometries that are nearer than the sum of their reaches (one number a
// geometry, see compute_reach; zero: only those that touch or overlap). Pairs of convex shapes, and of a half-space
// with one, keep all points of their manifold, however far; of triangle meshes and terrains points beyond the reach are
// left out. `max_points`, at least 4, is that of a manifold. Needs poses only; with `inner`, which bounds pairs within
// a robot and learns its strikes, velocities too.
void find_contacts(const CollisionModel& model, const Kinematics& kinematics, const std::vector<double>& reach,
                   ContactSet& contacts, ContactWorkspace& workspace, int max_points = kMaxManifoldPoints,
                   InnerReach* inner = nullptr);

// Contacts of two convex shapes, or of a half-space and one, in any order; false if they are farther apart than
// `reach`.
bool collide(const Placed& a, const Placed& b, double reach, Manifold& manifold);

// Contacts of any two shapes, in any order; none if they are farther apart than `reach`. A triangle mesh or a terrain
// gives a manifold for each direction in which it pushes; any other pair one at most. Leaves them in
// workspace.manifolds.
void collide(const Placed& a, const Placed& b, double reach, ContactWorkspace& workspace,
             int max_points = kMaxManifoldPoints);

}  // namespace stickslip
