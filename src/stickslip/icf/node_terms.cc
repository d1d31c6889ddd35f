#include "stickslip/icf/node_terms.h"

#include "stickslip/math/rotation.h"

namespace stickslip {

NodeTerms::NodeTerms(const Model& model) : model_(model), free_index_(model.trees.size(), -1) {
  for (size_t i = 0; i < model.free_trees.size(); ++i) free_index_[model.free_trees[i]] = static_cast<int>(i);
}

void NodeTerms::add_mass(const EquationsOfMotion& equations, const Node& node, double scale, Problem& problem) const {
  if (!model_.trees[node.tree].is_free_body) {
    Eigen::Map<MatrixXd>(problem.A.data() + node.A, node.size, node.size) += scale * equations.mass.block(node.tree);
    return;
  }
  const FreeBodyMass& mass = equations.mass.free_bodies[free_index_[node.tree]];
  Eigen::Map<Matrix6d> own(problem.A.data() + node.A);
  own.diagonal().head<3>().array() += scale * mass.mass;
  own.bottomRightCorner<3, 3>() += scale * mass.inertia();
}

void NodeTerms::set_mass(const EquationsOfMotion& equations, const Node& node, Problem& problem) const {
  if (!model_.trees[node.tree].is_free_body) {
    Eigen::Map<MatrixXd>(problem.A.data() + node.A, node.size, node.size) = equations.mass.block(node.tree);
    return;
  }
  const FreeBodyMass& mass = equations.mass.free_bodies[free_index_[node.tree]];
  Eigen::Map<Matrix6d> A(problem.A.data() + node.A);
  A.setZero();
  A.diagonal().head<3>().setConstant(mass.mass);
  A.bottomRightCorner<3, 3>() = mass.inertia();
}

void NodeTerms::add_force(const EquationsOfMotion& equations, const VectorXd& force, const Node& node, double scale,
                          Problem& problem) const {
  const Tree& tree = model_.trees[node.tree];
  if (!tree.is_free_body) {
    for (int k = 0; k < node.size; ++k) problem.r[node.start + k] += scale * force[model_.v_of_dof[tree.first_dof + k]];
    return;
  }
  const int v = model_.links[tree.first_link].v_start;
  const Vector3d f = force.segment<3>(v);
  const Vector3d n = equations.kinematics.pose[tree.first_link].R * force.segment<3>(v + 3) -
                     equations.mass.free_bodies[free_index_[node.tree]].r.cross(f);
  problem.r.segment<3>(node.start) += scale * f;
  problem.r.segment<3>(node.start + 3) += scale * n;
}

void NodeTerms::add_joint_terms(const EquationsOfMotion& equations, const Node& node, double h, double scale,
                                Problem& problem) const {
  const Tree& tree = model_.trees[node.tree];
  Eigen::Map<MatrixXd> A(problem.A.data() + node.A, node.size, node.size);
  const auto term = [&](const Link& link) { return scale * h * (link.damping + h * link.stiffness); };
  if (!tree.is_free_body) {
    for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
      const Link& link = model_.links[i];
      for (int k = 0; k < velocity_count(link.kind); ++k) A(link.dof + k, link.dof + k) += term(link);
    }
    return;
  }
  const double c = term(model_.links[tree.first_link]);
  if (c == 0) return;
  // A spring or damper of the joint acts on [v - w x r; w].
  const Vector3d& r = equations.mass.free_bodies[free_index_[node.tree]].r;
  const Matrix3d X = skew(r);
  A.topLeftCorner<3, 3>() += c * Matrix3d::Identity();
  A.topRightCorner<3, 3>() += c * X;
  A.bottomLeftCorner<3, 3>() -= c * X;
  A.bottomRightCorner<3, 3>() += c * (Matrix3d::Identity() - X * X);
}

void NodeTerms::set_momentum(const Node& node, Problem& problem) const {
  if (model_.trees[node.tree].is_free_body) {
    const Eigen::Map<const Matrix6d> A(problem.A.data() + node.A);
    problem.r.segment<6>(node.start).noalias() = A * problem.start.segment<6>(node.start);
  } else {
    problem.r.segment(node.start, node.size).noalias() =
        problem.block(node) * problem.start.segment(node.start, node.size);
  }
}

void NodeTerms::set_momentum(const EquationsOfMotion& start, const Node& node, Problem& problem) const {
  const FreeBodyMass& mass = start.mass.free_bodies[free_index_[node.tree]];
  problem.r.segment<3>(node.start) = mass.mass * problem.start.segment<3>(node.start);
  problem.r.segment<3>(node.start + 3) = mass.inertia() * problem.start.segment<3>(node.start + 3);
}

// State::v of a lone free body is [v of the origin; w in body axes]; the node's velocity is that of the centre of mass
// and w, world axes.
void NodeTerms::write_velocities(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& state_v,
                                 VectorXd& v) const {
  v.resize(problem.r.size());
  for (const Node& node : problem.nodes) {
    const Tree& tree = model_.trees[node.tree];
    if (!tree.is_free_body) {
      for (int k = 0; k < node.size; ++k) v[node.start + k] = state_v[model_.v_of_dof[tree.first_dof + k]];
      continue;
    }
    const Link& link = model_.links[tree.first_link];
    const Vector3d w = equations.kinematics.pose[tree.first_link].R * state_v.segment<3>(link.v_start + 3);
    v.segment<3>(node.start) =
        state_v.segment<3>(link.v_start) + w.cross(equations.mass.free_bodies[free_index_[node.tree]].r);
    v.segment<3>(node.start + 3) = w;
  }
}

void NodeTerms::read_velocities(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& v,
                                VectorXd& state_v) const {
  for (const Node& node : problem.nodes) {
    const Tree& tree = model_.trees[node.tree];
    if (!tree.is_free_body) {
      for (int k = 0; k < node.size; ++k) state_v[model_.v_of_dof[tree.first_dof + k]] = v[node.start + k];
      continue;
    }
    const Link& link = model_.links[tree.first_link];
    const Matrix3d& R = equations.kinematics.pose[tree.first_link].R;
    const Vector3d w = v.segment<3>(node.start + 3);
    state_v.segment<3>(link.v_start) =
        v.segment<3>(node.start) - w.cross(equations.mass.free_bodies[free_index_[node.tree]].r);
    state_v.segment<3>(link.v_start + 3).noalias() = R.transpose() * w;
  }
}

void NodeTerms::write_forces(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& tau,
                             VectorXd& f) const {
  f.resize(problem.r.size());
  for (const Node& node : problem.nodes) {
    const Tree& tree = model_.trees[node.tree];
    if (!tree.is_free_body) {
      for (int k = 0; k < node.size; ++k) f[node.start + k] = tau[model_.v_of_dof[tree.first_dof + k]];
      continue;
    }
    const Link& link = model_.links[tree.first_link];
    const Vector3d force = tau.segment<3>(link.v_start);
    f.segment<3>(node.start) = force;
    f.segment<3>(node.start + 3) = equations.kinematics.pose[tree.first_link].R * tau.segment<3>(link.v_start + 3) -
                                   equations.mass.free_bodies[free_index_[node.tree]].r.cross(force);
  }
}

// With v_o = v - w x r, w = R w_B: force f and torque n at the centre of mass are f and R' (n + r x f) in State::v.
void NodeTerms::read_forces(const EquationsOfMotion& equations, const Problem& problem, const VectorXd& f,
                            VectorXd& tau) const {
  for (const Node& node : problem.nodes) {
    const Tree& tree = model_.trees[node.tree];
    if (!tree.is_free_body) {
      for (int k = 0; k < node.size; ++k) tau[model_.v_of_dof[tree.first_dof + k]] = f[node.start + k];
      continue;
    }
    const Link& link = model_.links[tree.first_link];
    const Matrix3d& R = equations.kinematics.pose[tree.first_link].R;
    const Vector3d& r = equations.mass.free_bodies[free_index_[node.tree]].r;
    const Vector3d force = f.segment<3>(node.start), torque = f.segment<3>(node.start + 3);
    tau.segment<3>(link.v_start) = force;
    tau.segment<3>(link.v_start + 3) = R.transpose() * (torque + r.cross(force));
  }
}

}  // namespace stickslip
