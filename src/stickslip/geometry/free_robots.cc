#include "stickslip/geometry/free_robots.h"

#include <algorithm>
#include <numeric>

namespace stickslip {
namespace {

// Trees that constraints and tendons connect. Number 0 is the world with all that it holds, i + 1 is tree i.
class ConnectedTrees {
 public:
  explicit ConnectedTrees(const Model& model);
  int number_of(int link) { return root(model_.links[link].tree + 1); }

 private:
  int root(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    const int x = root(a), y = root(b);
    parent_[std::max(x, y)] = std::min(x, y);
  }
  int of_joint(int joint) { return number_of(model_.joints[joint].link); }
  int of_body(int body) { return number_of(model_.bodies[body].link); }
  int of_tendon(const TendonInfo& tendon) { return tendon.terms.empty() ? -1 : of_velocity(tendon.terms[0].v); }
  int of_velocity(int v) { return number_of(link_of_v_[v]); }
  void join_constrained(const ConstraintInfo& constraint);

  const Model& model_;
  std::vector<int> parent_;
  std::vector<int> link_of_v_;
};

ConnectedTrees::ConnectedTrees(const Model& model)
    : model_(model), parent_(model.trees.size() + 1), link_of_v_(model.nv) {
  std::iota(parent_.begin(), parent_.end(), 0);
  for (std::size_t i = 1; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    std::fill_n(link_of_v_.begin() + link.v_start, velocity_count(link.kind), static_cast<int>(i));
    // What moves as prescribed holds what hangs on it.
    const bool is_held = link.kind == LinkKind::kPrescribed || (link.parent == 0 && link.kind != LinkKind::kFree);
    if (is_held) join(0, link.tree + 1);
  }
  for (const TendonInfo& tendon : model.tendons) {
    for (const TendonInfo::Term& term : tendon.terms) join(of_tendon(tendon), of_velocity(term.v));
  }
  for (const ConstraintInfo& constraint : model.constraints) join_constrained(constraint);
}

void ConnectedTrees::join_constrained(const ConstraintInfo& constraint) {
  const int a = constraint.joint_a, b = constraint.joint_b;
  if (a < 0) {
    join(of_body(constraint.body_a), of_body(constraint.body_b));
  } else if (b >= 0 && !constraint.description.couples_tendons) {
    join(of_joint(a), of_joint(b));
  } else if (b >= 0) {
    const int first = of_tendon(model_.tendons[a]), second = of_tendon(model_.tendons[b]);
    if (first >= 0 && second >= 0) join(first, second);
  }
}

bool acts_on_free_joints(const Model& model) {
  return std::any_of(model.actuators.begin(), model.actuators.end(), [&](const ActuatorInfo& actuator) {
    return actuator.joint >= 0 && model.links[model.joints[actuator.joint].link].kind == LinkKind::kFree;
  });
}

}  // namespace

void find_free_robots(const Model& model, CollisionModel& out) {
  ConnectedTrees trees(model);
  std::vector<int> members(model.trees.size() + 1, 0), robot(model.trees.size(), -1);
  const auto number_of = [&](int tree) { return trees.number_of(model.trees[tree].first_link); };
  const int count = static_cast<int>(model.trees.size());
  for (int tree = 0; tree < count; ++tree) ++members[number_of(tree)];
  for (int tree = 0; tree < count; ++tree) {
    const int number = number_of(tree);
    if (number == 0 || members[number] > 1 || model.trees[tree].link_count < 2) continue;
    robot[tree] = static_cast<int>(out.free_robots.size());
    out.free_robots.push_back({.tree = tree});
  }
  for (std::size_t i = 0; i < out.geometries.size(); ++i) {
    CollisionGeometry& geometry = out.geometries[i];
    const int tree = model.links[geometry.link].tree;
    geometry.robot = tree >= 0 ? robot[tree] : -1;
    if (geometry.robot >= 0) out.free_robots[geometry.robot].geometries.push_back(static_cast<int>(i));
  }
  const bool same_gravity = std::all_of(model.bodies.begin() + 1, model.bodies.end(),
                                        [&](const BodyInfo& body) { return body.gravity_scale == 1; });
  out.falls_alike = same_gravity && !acts_on_free_joints(model);
}

}  // namespace stickslip
