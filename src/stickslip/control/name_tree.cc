#include "stickslip/control/name_tree.h"

#include <fmt/format.h>

namespace stickslip {
namespace {

bool acts_on(const ConstraintInfo& constraint, const Model& model, int tree) {
  const auto tree_of = [&](int body) { return model.links[model.bodies[body].link].tree; };
  const auto moves = [&](int joint) { return joint >= 0 && tree_of(model.joints[joint].child) == tree; };
  if (!constraint.description.active) return false;
  if (constraint.description.kind != Constraint::Kind::kCoupler)
    return tree_of(constraint.body_a) == tree || tree_of(constraint.body_b) == tree;
  return !constraint.description.couples_tendons && (moves(constraint.joint_a) || moves(constraint.joint_b));
}

}  // namespace

const std::string& body_of_tree(const Model& model, int tree) {
  static const std::string kNone;
  const Tree& own = model.trees[tree];
  for (int link = own.first_link; link < own.first_link + own.link_count; ++link)
    if (const int joint = model.links[link].joint; joint >= 0) return model.bodies[model.joints[joint].child].name;
  return kNone;
}

std::string constraints_on(const Model& model, int tree) {
  std::string first;
  int count = 0;
  for (const ConstraintInfo& constraint : model.constraints) {
    if (!acts_on(constraint, model, tree)) continue;
    if (++count == 1)
      first = constraint.description.name.empty() ? "" : fmt::format(" '{}'", constraint.description.name);
  }
  if (count == 0) return "";
  const std::string more = count > 1 ? fmt::format(" and {} more", count - 1) : "";
  return fmt::format(", on which constraint{}{} acts", first, more);
}

}  // namespace stickslip
