#include "stickslip/geometry/start_overlaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "stickslip/geometry/find_contacts.h"
#include "stickslip/state/state.h"

namespace stickslip {
namespace {

constexpr size_t kMostNamed = 10;       // links that one link is said to overlap
constexpr double kDeepestTouch = 1e-3;  // [m]; fingers that are drawn closed overlap by less

bool has_robots(const Model& model) {
  return std::any_of(model.bodies.begin(), model.bodies.end(), [](const BodyInfo& body) { return body.robot != 0; });
}

ContactSet contacts_at_start(const Model& model, const CollisionModel& collision) {
  Kinematics kinematics;
  compute_poses(model, initial_state(model), kinematics);
  ContactSet contacts;
  ContactWorkspace workspace;
  find_contacts(collision, kinematics, std::vector<double>(collision.geometries.size(), 0.0), contacts, workspace);
  return contacts;
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
  if (!has_robots(model)) return {};
  const ContactSet contacts = contacts_at_start(model, collision);
  std::vector<StartOverlap> out;
  for (int i = 0; i < contacts.size(); ++i) {
    const int a = contacts.geometry_a[contacts.pair[i]], b = contacts.geometry_b[contacts.pair[i]];
    const auto [body_a, body_b] = std::minmax(collision.geometries[a].body, collision.geometries[b].body);
    const int robot = model.bodies[body_a].robot;
    const double depth = -contacts.distance[i];
    if (robot == 0 || robot != model.bodies[body_b].robot || depth <= kDeepestTouch) continue;
    if (!collision.is_listed(a, b)) out.push_back({body_a, body_b, depth});
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

Scene exclude_start_overlaps(Scene scene) {
  const Model model = compile(scene);
  for (const StartOverlap& overlap : make_collision_model(model).start_overlaps) {
    const BodyInfo &a = model.bodies[overlap.body_a], &b = model.bodies[overlap.body_b];
    scene.contact_exclusions.push_back({b.where, a.name, b.name});
  }
  for (Body& body : scene.bodies) body.robot = 0;
  return scene;
}

}  // namespace stickslip
