#include "stickslip/simulate/ignored.h"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip {
namespace {

template <typename Items, typename Predicate>
int count(const Items& items, Predicate&& predicate) {
  return static_cast<int>(std::count_if(items.begin(), items.end(), predicate));
}

}  // namespace

std::vector<Warning> ignored_by_smooth_methods(const Model& model, const std::string& method) {
  std::string list;
  const auto mention = [&](int number, const char* one, const char* many) {
    if (number > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", number, number == 1 ? one : many);
  };
  int colliding = 0;
  for (const BodyInfo& body : model.bodies)
    colliding += count(body.geometry, [](const Geometry& g) { return g.collides; });
  mention(colliding, "colliding geometry", "colliding geometries");
  mention(count(model.constraints, [](const ConstraintInfo& c) { return c.description.active; }), "constraint",
          "constraints");
  mention(count(model.joints, [](const JointInfo& j) { return j.limits.bounded(); }), "joint limit", "joint limits");
  mention(count(model.joints, [](const JointInfo& j) { return j.velocity_limit < kInfinity; }), "velocity limit",
          "velocity limits");
  mention(count(model.joints, [](const JointInfo& j) { return j.dry_friction > 0; }), "joint's dry friction",
          "joints' dry friction");
  mention(count(model.tendons, [](const TendonInfo& t) { return t.limits.bounded() || t.dry_friction > 0; }),
          "tendon's limit or dry friction", "tendons' limits or dry friction");
  if (list.empty()) return {};
  return {{"ignored-by-method", {model.file, 0, 0}, fmt::format("method '{}' does not act on: {}", method, list)}};
}

}  // namespace stickslip
