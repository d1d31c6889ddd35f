#include "stickslip/scene/mjcf_reflected.h"

#include <Eigen/Cholesky>

#include "stickslip/math/rotation.h"

namespace stickslip::mjcf {
namespace {

// About the origin, for twists (angular, linear).
Matrix6d spatial_inertia(const MassProperties& m) {
  const Matrix3d c = skew(m.mass * m.center);
  Matrix6d out;
  out << m.inertia_about_origin(), c, -c, m.mass * Matrix3d::Identity();
  return out;
}

Vector6d rotation_about(const Vector3d& axis, const Vector3d& point) {
  return (Vector6d() << axis, point.cross(axis)).finished();
}
Vector6d translation_along(const Vector3d& axis) { return (Vector6d() << Vector3d::Zero(), axis).finished(); }

}  // namespace

ReflectedInertia::ReflectedInertia(const Context& context)
    : context_(context), parents_(context.scene.bodies.size(), -1) {
  const Scene& scene = context.scene;
  for (const Joint& joint : scene.joints) {
    if (joint.parent == kWorld) continue;
    parents_[context.bodies.index.at(joint.child)] = static_cast<int>(context.bodies.index.at(joint.parent));
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    subtree_inertias_.push_back(spatial_inertia(expressed_in(context.body_poses[i], scene.bodies[i].inertia)));
  }
  // Children stand after their parents.
  for (std::size_t i = scene.bodies.size(); i-- > 0;) {
    if (parents_[i] >= 0) subtree_inertias_[parents_[i]] += subtree_inertias_[i];
  }
}

std::size_t ReflectedInertia::root_of(std::size_t body) const {
  while (parents_[body] >= 0) body = static_cast<std::size_t>(parents_[body]);
  return body;
}

void ReflectedInertia::add_dofs(std::size_t joint_index, Tree& tree) const {
  const Joint& joint = context_.scene.joints[joint_index];
  const std::size_t body = context_.bodies.index.at(joint.child);
  const Pose& X_WB = context_.body_poses[body];
  const Vector3d anchor = X_WB * joint.child_pose.position;
  const auto add = [&](const Vector6d& axis) { tree.dofs.push_back({joint_index, body, axis}); };
  if (joint.type == JointType::kRevolute) add(rotation_about(X_WB.rotation * joint.axis, anchor));
  if (joint.type == JointType::kPrismatic) add(translation_along(X_WB.rotation * joint.axis));
  if (joint.type == JointType::kFree) {
    for (int k = 0; k < 3; ++k) add(translation_along(Vector3d::Unit(k)));
  }
  if (joint.type == JointType::kBall || joint.type == JointType::kFree) {
    for (int k = 0; k < 3; ++k) add(rotation_about(X_WB.rotation.col(k), anchor));
  }
}

// M_ij = S_i' I_j S_j, where j is the dof further from the root and I_j the inertia of all it moves.
void ReflectedInertia::invert(Tree& tree) const {
  const Eigen::Index n = static_cast<Eigen::Index>(tree.dofs.size());
  MatrixXd mass = MatrixXd::Zero(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    const Dof& dof = tree.dofs[j];
    const Vector6d momentum = subtree_inertias_[dof.body] * dof.axis;
    std::vector<bool> carries(parents_.size(), false);
    for (int body = static_cast<int>(dof.body); body >= 0; body = parents_[body]) {
      carries[body] = true;
    }
    for (Eigen::Index i = 0; i <= j; ++i) {
      const Dof& other = tree.dofs[i];
      if (carries[other.body]) mass(i, j) = mass(j, i) = other.axis.dot(momentum);
    }
    mass(j, j) += context_.scene.joints[dof.joint].armature;
  }
  tree.inverse = mass.ldlt().solve(MatrixXd::Identity(n, n));
}

ReflectedInertia::Tree& ReflectedInertia::tree_of(std::size_t joint) {
  const std::size_t root = root_of(context_.bodies.index.at(context_.scene.joints[joint].child));
  const auto [entry, is_new] = trees_.try_emplace(root);
  if (is_new) {
    for (std::size_t i = 0; i < context_.scene.joints.size(); ++i) {
      if (root_of(context_.bodies.index.at(context_.scene.joints[i].child)) == root) add_dofs(i, entry->second);
    }
    invert(entry->second);
  }
  return entry->second;
}

double ReflectedInertia::along(const std::vector<std::pair<std::size_t, double>>& joints) {
  double inverse_mass = 0;
  for (const auto& [a, coefficient_a] : joints) {
    const Tree& tree = tree_of(a);
    for (const auto& [b, coefficient_b] : joints) {
      double sum = 0;
      int dofs = 0;
      for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
        for (std::size_t j = 0; j < tree.dofs.size(); ++j) {
          const bool pair = tree.dofs[i].joint == a && tree.dofs[j].joint == b && (a != b || i == j);
          if (!pair) continue;
          sum += tree.inverse(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
          ++dofs;
        }
      }
      if (dofs > 0) inverse_mass += coefficient_a * coefficient_b * sum / dofs;
    }
  }
  return inverse_mass > 0 ? 1 / inverse_mass : 0;
}

}  // namespace stickslip::mjcf
