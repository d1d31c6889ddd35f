#include "stickslip/geometry/start_overlaps.h"

#include <algorithm>
#include <map>

#include "stickslip/geometry/find_contacts.h"
#include "stickslip/state/state.h"

namespace stickslip {
namespace {

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

}  // namespace

std::vector<StartOverlap> find_start_overlaps(const Model& model, const CollisionModel& collision) {
  if (!has_robots(model)) return {};
  const ContactSet contacts = contacts_at_start(model, collision);
  std::map<std::pair<int, int>, double> deepest;
  for (int i = 0; i < contacts.size(); ++i) {
    const int a = contacts.geometry_a[contacts.pair[i]], b = contacts.geometry_b[contacts.pair[i]];
    const int body_a = collision.geometries[a].body, body_b = collision.geometries[b].body;
    const int robot = model.bodies[body_a].robot;
    const double depth = -contacts.distance[i];
    if (robot == 0 || robot != model.bodies[body_b].robot || depth <= kDeepestTouch) continue;
    if (collision.is_listed(a, b)) continue;
    double& known = deepest[std::minmax(body_a, body_b)];
    known = std::max(known, depth);
  }
  std::vector<StartOverlap> out;
  for (const auto& [pair, depth] : deepest) out.push_back({pair.first, pair.second, depth});
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
