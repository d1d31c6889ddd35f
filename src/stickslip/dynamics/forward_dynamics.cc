#include "stickslip/dynamics/forward_dynamics.h"

#include <Eigen/Cholesky>

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

using Workspace = ForwardDynamicsWorkspace;

struct Inputs {
  const Model& model;
  const State& state;
  const Kinematics& kinematics;
  const VectorXd& tau;
  const VectorXd* extra;
  const std::vector<Wrench>* wrenches;

  double diagonal(const Link& link, int k) const { return link.armature + (extra ? (*extra)[link.v_start + k] : 0.0); }
};

// Rigid inertia and velocity-product terms of one link, before anything is attached to it.
void start_link(const Inputs& in, int i, ArticulatedInertia& out, Workspace::JointData& joint) {
  const Link& link = in.model.links[i];
  const LinkPose& pose = in.kinematics.pose[i];
  const LinkVelocity& velocity = in.kinematics.velocity[i];
  const Vector3d& w_p = in.kinematics.velocity[link.parent].w;
  const Vector3d h = pose.R * link.first_moment;
  const Matrix3d RI = pose.R * link.inertia_at_origin;
  out.A = link.inertia.mass * Matrix3d::Identity();
  out.B = -skew(h);
  out.C.noalias() = RI * pose.R.transpose();
  out.bias.f = velocity.w.cross(velocity.w.cross(h));
  out.bias.n = velocity.w.cross(Vector3d(out.C * velocity.w));
  if (in.wrenches) {
    out.bias.f -= (*in.wrenches)[i].f;
    out.bias.n -= (*in.wrenches)[i].n;
  }
  joint.c_a = w_p.cross(w_p.cross(in.kinematics.offset[i]));
  if (link.kind == LinkKind::kRevolute) {
    joint.c_alpha = w_p.cross(in.state.v[link.v_start] * pose.R.col(2));
  } else {
    const RelativeMotion relative = relative_motion(in.model, in.state, in.kinematics, i);
    joint.c_a += 2 * w_p.cross(relative.v) + relative.a;
    joint.c_alpha = w_p.cross(relative.w) + relative.alpha;
  }
}

// Adds inertia and bias of a link, seen through its joint, to its parent: a shift of the reference point by d.
void add_to_parent(const ArticulatedInertia& child, const Vector3d& d, ArticulatedInertia& parent) {
  const Matrix3d D = skew(d);
  const Matrix3d B = child.B - child.A * D;
  parent.A += child.A;
  parent.B += B;
  parent.C += child.C - child.B.transpose() * D + D * B;
  parent.bias.f += child.bias.f;
  parent.bias.n += child.bias.n + d.cross(child.bias.f);
}

// bias += inertia * c
void add_bias_acceleration(const Workspace::JointData& joint, ArticulatedInertia& inertia) {
  inertia.bias.f += inertia.A * joint.c_a + inertia.B * joint.c_alpha;
  inertia.bias.n += inertia.B.transpose() * joint.c_a + inertia.C * joint.c_alpha;
}

// One-dof joints: project the joint out by a rank-one update. False if the joint moves no inertia.
bool eliminate_one_dof(const Inputs& in, int i, ArticulatedInertia& inertia, Workspace::JointData& joint) {
  const Link& link = in.model.links[i];
  const Vector3d axis = in.kinematics.pose[i].R.col(2);
  double D = in.diagonal(link, 0);
  joint.u = in.tau[link.v_start];
  switch (link.kind) {
    case LinkKind::kRevolute:
      joint.U_f.noalias() = inertia.B * axis;
      joint.U_n.noalias() = inertia.C * axis;
      D += axis.dot(joint.U_n);
      joint.u -= axis.dot(inertia.bias.n);
      break;
    case LinkKind::kPrismatic:
      joint.U_f.noalias() = inertia.A * axis;
      joint.U_n.noalias() = inertia.B.transpose() * axis;
      D += axis.dot(joint.U_f);
      joint.u -= axis.dot(inertia.bias.f);
      break;
    default:  // kScrew
      joint.U_f = inertia.A * (link.pitch * axis) + inertia.B * axis;
      joint.U_n = inertia.B.transpose() * (link.pitch * axis) + inertia.C * axis;
      D += axis.dot(joint.U_n + link.pitch * joint.U_f);
      joint.u -= axis.dot(inertia.bias.n + link.pitch * inertia.bias.f);
      break;
  }
  if (!(D > 0)) return false;
  joint.inverse_D = 1 / D;
  if (link.parent == 0) return true;
  const Vector3d f = joint.inverse_D * joint.U_f;
  const Vector3d n = joint.inverse_D * joint.U_n;
  inertia.A.noalias() -= f * joint.U_f.transpose();
  inertia.B.noalias() -= f * joint.U_n.transpose();
  inertia.C.noalias() -= n * joint.U_n.transpose();
  add_bias_acceleration(joint, inertia);
  inertia.bias.f += joint.u * f;
  inertia.bias.n += joint.u * n;
  return true;
}

using Matrix6 = Eigen::Matrix<double, 6, 6>;

Matrix6 as_matrix(const ArticulatedInertia& inertia) {
  Matrix6 out;
  out << inertia.A, inertia.B, inertia.B.transpose(), inertia.C;
  return out;
}

// Joint axes of ball (3) and free (6) joints at the link's origin, world axes, as columns.
Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> motion_axes(const Inputs& in, int i) {
  const Link& link = in.model.links[i];
  const Matrix3d& R = in.kinematics.pose[i].R;
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> S(6, velocity_count(link.kind));
  S.setZero();
  S.bottomRightCorner<3, 3>() = R;
  if (link.kind == LinkKind::kFree) {
    S.topLeftCorner<3, 3>() = in.kinematics.pose[link.parent].R * link.X_PF.rotation;
  }
  return S;
}

// Ball and free joints: the same elimination with a small dense factor. Their data is recomputed on the way out, since
// they are few. Writes the joint's acceleration for a given incoming acceleration if `vdot` is given.
struct ManyDofJoint {
  Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6> S, U;
  Eigen::LDLT<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>> D;
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1> u;

  ManyDofJoint(const Inputs& in, int i, const ArticulatedInertia& inertia) : S(motion_axes(in, i)) {
    const Link& link = in.model.links[i];
    const int n = velocity_count(link.kind);
    U = as_matrix(inertia) * S;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6> D_matrix = S.transpose() * U;
    for (int k = 0; k < n; ++k) D_matrix(k, k) += in.diagonal(link, k);
    D.compute(D_matrix);
    Vector6d bias;
    bias << inertia.bias.f, inertia.bias.n;
    // In two statements: as one expression Eigen takes the product's temporary from the heap.
    u = in.tau.segment(link.v_start, n);
    u.noalias() -= S.transpose() * bias;
  }
  bool ok() const { return D.info() == Eigen::Success && D.isPositive() && D.vectorD().minCoeff() > 0; }
};

void eliminate_many_dof(const ManyDofJoint& many, const Workspace::JointData& joint, ArticulatedInertia& inertia) {
  const Matrix6 reduced = as_matrix(inertia) - many.U * many.D.solve(many.U.transpose());
  inertia.A = reduced.topLeftCorner<3, 3>();
  inertia.B = reduced.topRightCorner<3, 3>();
  inertia.C = reduced.bottomRightCorner<3, 3>();
  add_bias_acceleration(joint, inertia);
  const Vector6d pushed = many.U * many.D.solve(many.u);
  inertia.bias.f += pushed.head<3>();
  inertia.bias.n += pushed.tail<3>();
}

// From the leaves to the root: eliminate each joint, hand the rest to the parent. The untouched articulated inertia of
// ball and free links is kept in place (it is needed on the way out), so the reduced one goes to the parent from a
// copy.
SolveStatus sweep_inward(const Inputs& in, const Tree& tree, Workspace& workspace) {
  for (int i = tree.first_link + tree.link_count - 1; i >= tree.first_link; --i) {
    const Link& link = in.model.links[i];
    ArticulatedInertia& inertia = workspace.inertia[i];
    Workspace::JointData& joint = workspace.joint[i];
    const Vector3d& d = in.kinematics.offset[i];
    ArticulatedInertia& parent = workspace.inertia[link.parent];
    if (link.kind == LinkKind::kPrescribed) {
      if (link.parent == 0) continue;
      add_bias_acceleration(joint, inertia);
      add_to_parent(inertia, d, parent);
    } else if (velocity_count(link.kind) == 1) {
      if (!eliminate_one_dof(in, i, inertia, joint)) return {i};
      if (link.parent != 0) add_to_parent(inertia, d, parent);
    } else if (link.parent != 0) {
      const ManyDofJoint many(in, i, inertia);
      if (!many.ok()) return {i};
      ArticulatedInertia reduced = inertia;
      eliminate_many_dof(many, joint, reduced);
      add_to_parent(reduced, d, parent);
    }
  }
  return {};
}

// From the root to the leaves: each joint's acceleration, then its link's.
SolveStatus sweep_outward(const Inputs& in, const Tree& tree, Workspace& workspace, VectorXd& vdot) {
  for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
    const Link& link = in.model.links[i];
    const LinkPose& pose = in.kinematics.pose[i];
    const Workspace::JointData& joint = workspace.joint[i];
    const LinkAcceleration& parent = workspace.acceleration[link.parent];
    LinkAcceleration& out = workspace.acceleration[i];
    out.a = parent.a + parent.alpha.cross(in.kinematics.offset[i]) + joint.c_a;
    out.alpha = parent.alpha + joint.c_alpha;
    if (link.kind == LinkKind::kPrescribed) continue;
    if (velocity_count(link.kind) == 1) {
      const double x = joint.inverse_D * (joint.u - joint.U_f.dot(out.a) - joint.U_n.dot(out.alpha));
      vdot[link.v_start] = x;
      if (link.kind != LinkKind::kPrismatic) out.alpha += x * pose.R.col(2);
      if (link.kind == LinkKind::kPrismatic) out.a += x * pose.R.col(2);
      if (link.kind == LinkKind::kScrew) out.a += link.pitch * x * pose.R.col(2);
      continue;
    }
    const ManyDofJoint many(in, i, workspace.inertia[i]);
    if (!many.ok()) return {i};
    Vector6d incoming;
    incoming << out.a, out.alpha;
    const auto n = many.u.size();
    vdot.segment(link.v_start, n) = many.D.solve(many.u - many.U.transpose() * incoming);
    const Vector6d gained = many.S * vdot.segment(link.v_start, n);
    out.a += gained.head<3>();
    out.alpha += gained.tail<3>();
  }
  return {};
}

// A lone free body in its own axes: with M = diag(m 1, I) about the centre of mass two small solves remain.
SolveStatus solve_free_body(const Inputs& in, const Tree& tree, VectorXd& vdot) {
  const Link& link = in.model.links[tree.first_link];
  const Matrix3d& R = in.kinematics.pose[tree.first_link].R;
  const double m = link.inertia.mass;
  const Vector3d w = in.state.v.segment<3>(link.v_start + 3);
  const Vector3d& c = link.inertia.center;
  // Applied force in body axes, torque about the centre of mass.
  Vector3d f = R.transpose() * Vector3d(in.tau.segment<3>(link.v_start));
  Vector3d n = in.tau.segment<3>(link.v_start + 3);
  if (in.wrenches) {
    const Wrench& wrench = (*in.wrenches)[tree.first_link];
    f += R.transpose() * wrench.f;
    n += R.transpose() * wrench.n;
  }
  n -= c.cross(f) + w.cross(Vector3d(link.inertia.inertia * w));
  const Eigen::LDLT<Matrix3d> factor(link.inertia.inertia);
  if (!(m > 0) || !factor.isPositive() || !(factor.vectorD().minCoeff() > 0)) return {tree.first_link};
  const Vector3d alpha = factor.solve(n);
  const Vector3d a = f / m - alpha.cross(c) - w.cross(w.cross(c));
  vdot.segment<3>(link.v_start) = in.model.gravity + R * a;
  vdot.segment<3>(link.v_start + 3) = alpha;
  return {};
}

bool has_diagonal(const Inputs& in, const Link& link) {
  for (int k = 0; k < velocity_count(link.kind); ++k) {
    if (in.diagonal(link, k) != 0) return true;
  }
  return false;
}

}  // namespace

SolveStatus forward_dynamics(const Model& model, const State& state, const Kinematics& kinematics, const VectorXd& tau,
                             const VectorXd* extra, const std::vector<Wrench>* wrenches, VectorXd& vdot,
                             ForwardDynamicsWorkspace& workspace) {
  const Inputs in{model, state, kinematics, tau, extra, wrenches};
  vdot.resize(model.nv);
  workspace.inertia.resize(model.links.size());
  workspace.joint.resize(model.links.size());
  workspace.acceleration.resize(model.links.size());
  workspace.acceleration[0] = {-model.gravity, Vector3d::Zero()};
  const auto solve_tree = [&](const Tree& tree) -> SolveStatus {
    for (int i = tree.first_link; i < tree.first_link + tree.link_count; ++i) {
      start_link(in, i, workspace.inertia[i], workspace.joint[i]);
    }
    const SolveStatus status = sweep_inward(in, tree, workspace);
    return status.ok() ? sweep_outward(in, tree, workspace, vdot) : status;
  };
  for (int index : model.free_trees) {
    const Tree& tree = model.trees[index];
    const Link& link = model.links[tree.first_link];
    const SolveStatus status = has_diagonal(in, link) ? solve_tree(tree) : solve_free_body(in, tree, vdot);
    if (!status.ok()) return status;
  }
  for (int index : model.articulated_trees) {
    const SolveStatus status = solve_tree(model.trees[index]);
    if (!status.ok()) return status;
  }
  return {};
}

}  // namespace stickslip
