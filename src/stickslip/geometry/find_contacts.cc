#include "stickslip/geometry/find_contacts.h"

#include <algorithm>
#include <tuple>

#include "stickslip/geometry/box_box_manifold.h"
#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/geometry/reduce_points.h"

namespace stickslip {
namespace {

// B's view of the manifold becomes A's.
void swap_sides(Manifold& manifold) {
  for (int i = 0; i < manifold.count; ++i) {
    ManifoldPoint& point = manifold.points[i];
    point.point_a += point.distance * manifold.normal;
    point.feature = swapped_feature(point.feature);
  }
  manifold.normal = -manifold.normal;
}

// Bodies ascending, within two bodies geometries ascending. Geometries are numbered by body, so most often the pairs
// come in this order already.
void sort_by_bodies(const CollisionModel& model, std::vector<std::pair<int, int>>& pairs) {
  const auto key = [&](const std::pair<int, int>& pair) {
    return std::tuple(model.geometries[pair.first].body, model.geometries[pair.second].body, pair.first, pair.second);
  };
  const auto before = [&](const auto& x, const auto& y) { return key(x) < key(y); };
  if (!std::is_sorted(pairs.begin(), pairs.end(), before)) std::sort(pairs.begin(), pairs.end(), before);
}

void open_patch(int body_a, int body_b, ContactSet& contacts) {
  if (!contacts.patches.empty()) {
    const ContactPatch& last = contacts.patches.back();
    if (last.body_a == body_a && last.body_b == body_b) return;
  }
  contacts.patches.push_back({body_a, body_b, contacts.size(), 0});
}

void add_manifold(const Manifold& manifold, const PairMaterial& material, const Vector3d& origin,
                  ContactSet& contacts) {
  const int pair = static_cast<int>(contacts.material.size()) - 1;
  const Vector3d tangent = tangent_of(manifold.normal);
  for (int i = 0; i < manifold.count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    contacts.point.push_back(origin + point.point_a + (material.compliance_share_a * point.distance) * manifold.normal);
    contacts.normal.push_back(manifold.normal);
    contacts.tangent.push_back(tangent);
    contacts.distance.push_back(point.distance);
    contacts.weight.push_back(point.weight);
    contacts.pair.push_back(pair);
    contacts.feature.push_back(point.feature);
  }
  contacts.patches.back().count += manifold.count;
}

}  // namespace

bool collide(const Placed& a, const Placed& b, double reach, Manifold& manifold) {
  if (a.shape->kind == ColliderKind::kBox && b.shape->kind == ColliderKind::kBox) {
    const BoxAxis axis = box_box_axis(a, b, reach);
    if (axis.gap > reach) return false;
    if (axis.gap <= 0 && box_box_manifold(a, b, axis.normal, manifold)) return true;
  }
  const bool swap = b.shape->kind < a.shape->kind;
  const Placed& first = swap ? b : a;
  const Placed& second = swap ? a : b;
  const Separation between = quick_separation(first, second, reach);
  if (!(between.distance <= reach)) return false;
  make_manifold(first, second, between, manifold);
  if (swap) swap_sides(manifold);
  return true;
}

void collide(const Placed& a, const Placed& b, double reach, ContactWorkspace& workspace, int max_points) {
  std::vector<Manifold>& manifolds = workspace.manifolds;
  manifolds.clear();
  const auto is_surface = [](const Placed& x) { return x.shape->kind >= ColliderKind::kTriangleMesh; };
  if (is_surface(b)) {
    surface_contacts(a, b, reach, workspace.surface, manifolds);
  } else if (is_surface(a)) {
    surface_contacts(b, a, reach, workspace.surface, manifolds);
    for (Manifold& manifold : manifolds) swap_sides(manifold);
  } else {
    manifolds.emplace_back();
    if (!collide(a, b, reach, manifolds.back())) manifolds.clear();
  }
  for (Manifold& manifold : manifolds)
    if (manifold.count > max_points) reduce_points(manifold, max_points);
}

void find_contacts(const CollisionModel& model, const Kinematics& kinematics, const std::vector<double>& reach,
                   ContactSet& contacts, ContactWorkspace& workspace, int max_points, InnerReach* inner) {
  contacts.clear();
  place_all(model, kinematics, workspace.placed);
  compute_boxes(workspace.placed, reach, workspace.boxes);
  workspace.broad_phase.find_pairs(model, workspace.boxes, workspace.pairs);
  sort_by_bodies(model, workspace.pairs);
  const bool bounds_robots = inner != nullptr && !inner->of.empty();
  if (bounds_robots) find_strikes(model, kinematics, workspace.placed, workspace.boxes, reach, workspace.pairs, *inner);
  for (const auto& [a, b] : workspace.pairs) {
    double within = reach[a] + reach[b];
    if (bounds_robots && inner->applies(model.geometries[a], model.geometries[b])) {
      within = std::min(within, inner->between(model, a, b));
      if (gap(workspace.boxes[a].grown(-reach[a]), workspace.boxes[b].grown(-reach[b])) > within) continue;
    }
    Placed placed_a = workspace.placed[a], placed_b = workspace.placed[b];
    const Vector3d origin = move_to_local_origin(placed_a, placed_b);
    collide(placed_a, placed_b, within, workspace, max_points);
    if (workspace.manifolds.empty()) continue;
    open_patch(model.geometries[a].body, model.geometries[b].body, contacts);
    contacts.geometry_a.push_back(a);
    contacts.geometry_b.push_back(b);
    contacts.material.push_back(workspace.materials.find(model, a, b));
    for (const Manifold& manifold : workspace.manifolds)
      add_manifold(manifold, contacts.material.back(), origin, contacts);
  }
}

}  // namespace stickslip
