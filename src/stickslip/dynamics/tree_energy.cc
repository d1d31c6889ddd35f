#include "stickslip/dynamics/tree_energy.h"

#include <cmath>

#include "stickslip/dynamics/forces.h"

namespace stickslip {
namespace {

constexpr double kCreep = 1e-3;  // [m/s]

int tree_of_velocity(const Model& model, int v) {
  for (const Link& link : model.links)
    if (link.tree >= 0 && v >= link.v_start && v < link.v_start + velocity_count(link.kind)) return link.tree;
  return -1;
}

}  // namespace

TreeEnergyMeter::TreeEnergyMeter(const Model& model)
    : model_(model),
      weights_(model.links.size()),
      size_(model.trees.size(), 0.0),
      is_driven_(model.trees.size(), 0),
      has_springs_(model.trees.size(), 0),
      first_tendon_(model.trees.size() + 1, 0) {
  for (size_t i = 1; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    weights_[i] = {link.inertia.mass, link.first_moment};
    if (link.tree < 0 || model.trees[link.tree].nv == 0) continue;
    const double radius = std::sqrt(0.5 * link.inertia.inertia.trace() * link.inertia.mass);  // times the mass
    size_[link.tree] += model.gravity.norm() * radius + 0.5 * link.inertia.mass * kCreep * kCreep;
    if (link.kind == LinkKind::kPrescribed && (link.motion >= 0 || link.mocap >= 0)) is_driven_[link.tree] = 1;
    if (link.stiffness != 0) has_springs_[link.tree] = 1;
  }
  for (const BodyInfo& body : model.bodies) {
    if (body.gravity_scale == 1 || body.link == 0) continue;
    const double mass = (body.gravity_scale - 1) * body.inertia.mass;
    weights_[body.link].mass += mass;
    weights_[body.link].moment += mass * (body.X_LB * body.inertia.center);
  }
  std::vector<std::vector<int>> of_tree(model.trees.size());
  for (size_t i = 0; i < model.tendons.size(); ++i) {
    const TendonInfo& tendon = model.tendons[i];
    const int tree = tendon.stiffness != 0 && !tendon.terms.empty() ? tree_of_velocity(model, tendon.terms[0].v) : -1;
    if (tree >= 0) of_tree[tree].push_back(static_cast<int>(i));
  }
  for (size_t tree = 0; tree < of_tree.size(); ++tree) {
    tendons_.insert(tendons_.end(), of_tree[tree].begin(), of_tree[tree].end());
    first_tendon_[tree + 1] = static_cast<int>(tendons_.size());
  }
}

TreeEnergy TreeEnergyMeter::measure_free_body(const Link& link, const Weight& weight, const State& state) const {
  const double *q = state.q.data() + link.q_start, *v = state.v.data() + link.v_start;
  const Vector3d p(q[0], q[1], q[2]), w(v[3], v[4], v[5]);
  Vector3d velocity(v[0], v[1], v[2]);
  double potential = -weight.mass * model_.gravity.dot(p);
  if (!link.inertia.center.isZero(0)) {
    const Quaterniond turn = Quaterniond(q[3], q[4], q[5], q[6]).normalized();
    velocity += turn * w.cross(link.inertia.center);
    potential -= model_.gravity.dot(turn * weight.moment);
  }
  return {.kinetic = 0.5 * (link.inertia.mass * velocity.squaredNorm() + w.dot(link.inertia.inertia * w)),
          .potential = potential};
}

TreeEnergy TreeEnergyMeter::measure(int index, const State& state, const Kinematics& kinematics) const {
  const Tree& tree = model_.trees[index];
  TreeEnergy energy;
  if (tree.nv == 0) return energy;
  if (tree.is_free_body) {
    energy = measure_free_body(model_.links[tree.first_link], weights_[tree.first_link], state);
  } else {
    double twice = 0;
    for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
      const Link& link = model_.links[i];
      const LinkPose& pose = kinematics.pose[i];
      const LinkVelocity& velocity = kinematics.velocity[i];
      const Vector3d center = velocity.v + velocity.w.cross(pose.R * link.inertia.center);
      const Vector3d w = pose.R.transpose() * velocity.w;
      twice += link.inertia.mass * center.squaredNorm() + w.dot(link.inertia.inertia * w);
      for (int k = 0; link.armature != 0 && k < velocity_count(link.kind); ++k)
        twice += link.armature * state.v[link.v_start + k] * state.v[link.v_start + k];
      energy.potential -= model_.gravity.dot(weights_[i].mass * pose.p + pose.R * weights_[i].moment);
    }
    energy.kinetic = 0.5 * twice;
  }
  for (int i = tree.first_link; has_springs_[index] && i < tree.first_link + tree.link_count; ++i)
    energy.potential += joint_spring_energy(model_, state, model_.links[i]);
  for (int i = first_tendon_[index]; i < first_tendon_[index + 1]; ++i)
    energy.potential += tendon_spring_energy(model_.tendons[tendons_[i]], state);
  return energy;
}

void TreeEnergyMeter::measure(const State& state, const Kinematics& kinematics, std::vector<TreeEnergy>& energy) const {
  energy.resize(model_.trees.size());
  for (size_t tree = 0; tree < energy.size(); ++tree) energy[tree] = measure(static_cast<int>(tree), state, kinematics);
}

}  // namespace stickslip
