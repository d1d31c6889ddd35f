#include "stickslip/geometry/start_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "stickslip/geometry/find_contacts.h"
#include "stickslip/geometry/reach.h"
#include "stickslip/state/state.h"

namespace stickslip {
namespace {

constexpr size_t kMostNamed = 10;       // links that one link is said to overlap
constexpr double kDeepestTouch = 1e-3;  // [m]; fingers that are drawn closed overlap by less

template <typename Bodies>
bool has_robots(const Bodies& bodies) {
  return std::any_of(bodies.begin(), bodies.end(), [](const auto& body) { return body.robot != 0; });
}

// Zero if they are apart.
double depth_of(Placed a, Placed b, ContactWorkspace& workspace) {
  move_to_local_origin(a, b);
  collide(a, b, 0.0, workspace);
  double depth = 0;
  for (const Manifold& manifold : workspace.manifolds) {
    for (int i = 0; i < manifold.count; ++i) depth = std::max(depth, -manifold.points[i].distance);
  }
  return depth;
}

// By bodies, in order.
void keep_deepest_of_each_pair(std::vector<StartOverlap>& overlaps) {
  const auto key = [](const StartOverlap& x) { return std::tuple(x.body_a, x.body_b, -x.depth); };
  std::sort(overlaps.begin(), overlaps.end(), [&](const auto& x, const auto& y) { return key(x) < key(y); });
  const auto same_pair = [](const auto& x, const auto& y) { return x.body_a == y.body_a && x.body_b == y.body_b; };
  overlaps.erase(std::unique(overlaps.begin(), overlaps.end(), same_pair), overlaps.end());
}

}  // namespace

std::vector<StartOverlap> find_start_overlaps(const Model& model, const CollisionModel& collision) {
  if (!has_robots(model.bodies)) return {};
  Kinematics kinematics;
  compute_poses(model, initial_state(model), kinematics);
  ContactWorkspace workspace;
  place_all(collision, kinematics, workspace.placed);
  compute_boxes(workspace.placed, std::vector<double>(workspace.placed.size(), 0.0), workspace.boxes);
  workspace.broad_phase.find_pairs(collision, workspace.boxes, workspace.pairs);
  std::vector<StartOverlap> out;
  for (const auto& [a, b] : workspace.pairs) {
    const auto [body_a, body_b] = std::minmax(collision.geometries[a].body, collision.geometries[b].body);
    const int robot = model.bodies[body_a].robot;
    if (robot == 0 || robot != model.bodies[body_b].robot || collision.is_listed(a, b)) continue;
    const double depth = depth_of(workspace.placed[a], workspace.placed[b], workspace);
    if (depth > kDeepestTouch) out.push_back({body_a, body_b, depth});
  }
  keep_deepest_of_each_pair(out);
  return out;
}

std::vector<Warning> warnings_of(const std::vector<StartOverlap>& overlaps, const Model& model) {
  std::map<int, std::vector<StartOverlap>> by_later_body;
  for (const StartOverlap& overlap : overlaps) by_later_body[overlap.body_b].push_back(overlap);
  std::vector<Warning> out;
  for (auto& [body, partners] : by_later_body) {
    std::stable_sort(partners.begin(), partners.end(), [](const auto& x, const auto& y) { return x.depth > y.depth; });
    const size_t named = std::min(partners.size(), kMostNamed);
    std::string list;
    for (size_t i = 0; i < named; ++i) {
      list += fmt::format("{}'{}' by {:.3g} mm", i == 0 ? "" : ", ", model.bodies[partners[i].body_a].name,
                          1e3 * partners[i].depth);
    }
    if (named < partners.size()) list += fmt::format(", and {} more", partners.size() - named);
    out.push_back({"overlapping-links", model.bodies[body].where,
                   fmt::format("where the robot starts, link '{}' overlaps {}; it does not collide with {}",
                               model.bodies[body].name, list, partners.size() == 1 ? "that one" : "those")});
  }
  return out;
}

namespace {

// Families as pairs.
void list_families(Scene& scene) {
  std::map<int, std::vector<const Body*>> families;
  for (const Body& body : scene.bodies)
    if (body.family != 0) families[body.family].push_back(&body);
  for (const auto& [_, bodies] : families) {
    for (size_t i = 0; i < bodies.size(); ++i)
      for (size_t j = i + 1; j < bodies.size(); ++j)
        scene.contact_exclusions.push_back({bodies[i]->where, bodies[i]->name, bodies[j]->name});
  }
  for (Body& body : scene.bodies) body.family = 0;
}

}  // namespace

Scene exclude_start_overlaps(Scene scene) {
  list_families(scene);
  if (!has_robots(scene.bodies)) return scene;
  const Model model = compile(scene);
  const CollisionModel collision = make_collision_model(model);
  for (const StartOverlap& overlap : collision.start_overlaps) {
    const BodyInfo &a = model.bodies[overlap.body_a], &b = model.bodies[overlap.body_b];
    scene.contact_exclusions.push_back({b.where, a.name, b.name});
  }
  for (Warning& warning : warnings_of(collision.start_overlaps, model)) scene.warnings.push_back(std::move(warning));
  for (Body& body : scene.bodies) body.robot = 0;
  return scene;
}

}  // namespace stickslip
