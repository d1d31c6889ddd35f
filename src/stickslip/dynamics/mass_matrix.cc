#include "stickslip/dynamics/mass_matrix.h"

#include "stickslip/dynamics/free_bodies.h"
#include "stickslip/dynamics/unit_motion.h"
#include "stickslip/dynamics/wrench.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

CompositeInertia link_inertia(const Link& link, const LinkPose& pose) {
  CompositeInertia out{link.inertia.mass, pose.R * link.first_moment, {}};
  const Matrix3d RI = pose.R * link.inertia_at_origin;
  out.I.noalias() = RI * pose.R.transpose();
  return out;
}

// Adds a child's composite, moved by d to the parent's origin: parallel axes about a point that is not the centre of
// mass.
void add_moved(const CompositeInertia& child, const Vector3d& d, CompositeInertia& parent) {
  parent.mass += child.mass;
  parent.h += child.h + child.mass * d;
  const Vector3d g = child.h + 0.5 * child.mass * d;
  // point terms: 2 (d.g) 1 - d g' - g d'
  const double diagonal = 2 * d.dot(g);
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) parent.I(r, c) += child.I(r, c) - d[r] * g[c] - g[r] * d[c];
    parent.I(c, c) += diagonal;
  }
}

// Writes M(row of every dof of link j, column) for the wrench of one column, both triangles.
inline void project_on_link(const Model& model, const Kinematics& kinematics, int j, const Wrench& wrench, int column,
                            double* block, int n) {
  const Link& link = model.links[j];
  const auto write = [&](int row, double value) { block[row + column * n] = block[column + row * n] = value; };
  const auto axis = kinematics.pose[j].R.col(2);
  if (link.kind == LinkKind::kRevolute) return write(link.dof, axis.dot(wrench.n));
  if (link.kind == LinkKind::kPrismatic) return write(link.dof, axis.dot(wrench.f));
  for (int k = 0; k < velocity_count(link.kind); ++k) {
    const UnitMotion unit = unit_motion(model, kinematics, j, k);
    write(link.dof + k, unit.v.dot(wrench.f) + unit.w.dot(wrench.n));
  }
}

// All columns of one link: its composite inertia is set in unit motion, and the wrench walks up to the root.
void write_columns(const Model& model, const Kinematics& kinematics, int i, const CompositeInertia& inertia,
                   double* block, int n) {
  const Link& link = model.links[i];
  for (int k = 0; k < velocity_count(link.kind); ++k) {
    const int column = link.dof + k;
    Wrench wrench;
    if (link.kind == LinkKind::kRevolute) {
      const Vector3d axis = kinematics.pose[i].R.col(2);
      wrench.f = axis.cross(inertia.h);
      wrench.n.noalias() = inertia.I * axis;
    } else {
      const UnitMotion unit = unit_motion(model, kinematics, i, k);
      wrench.f = inertia.mass * unit.v + unit.w.cross(inertia.h);
      wrench.n = inertia.h.cross(unit.v) + inertia.I * unit.w;
    }
    project_on_link(model, kinematics, i, wrench, column, block, n);
    block[column + column * n] += link.armature;
    for (int j = i; model.links[j].parent != 0;) {
      wrench.n += kinematics.offset[j].cross(wrench.f);
      j = model.links[j].parent;
      project_on_link(model, kinematics, j, wrench, column, block, n);
    }
  }
}

}  // namespace

MassMatrix::MassMatrix(const Model& model)
    : free_bodies(model.free_trees.size()), composite(model.links.size()), slots_(model.trees.size()) {
  Eigen::Index size = 0;
  for (int tree : model.articulated_trees) {
    const int nv = model.trees[tree].nv;
    slots_[tree] = {size, nv};
    size += static_cast<Eigen::Index>(nv) * nv;
  }
  data_.assign(static_cast<size_t>(size), 0.0);
}

Eigen::Map<MatrixXd> MassMatrix::block(int tree) {
  const Slot& slot = slots_[tree];
  return {data_.data() + slot.start, slot.size, slot.size};
}

Eigen::Map<const MatrixXd> MassMatrix::block(int tree) const {
  const Slot& slot = slots_[tree];
  return {data_.data() + slot.start, slot.size, slot.size};
}

void compute_mass_matrix(const Model& model, const State& state, const Kinematics& kinematics, MassMatrix& mass) {
  compute_free_masses(model, state, mass);
  compute_articulated_masses(model, kinematics, mass);
}

void compute_articulated_masses(const Model& model, const Kinematics& kinematics, MassMatrix& mass) {
  for (int index : model.articulated_trees) {
    const Tree& tree = model.trees[index];
    double* block = mass.block(index).data();
    const int end = tree.first_link + tree.link_count;
    for (int i = tree.first_link; i < end; ++i) {
      mass.composite[i] = link_inertia(model.links[i], kinematics.pose[i]);
    }
    for (int i = end - 1; i >= tree.first_link; --i) {
      const CompositeInertia& own = mass.composite[i];
      write_columns(model, kinematics, i, own, block, tree.nv);
      const int parent = model.links[i].parent;
      if (parent == 0) continue;
      add_moved(own, kinematics.offset[i], mass.composite[parent]);
    }
  }
}

MatrixXd dense_mass_matrix(const Model& model, const Kinematics& kinematics, const MassMatrix& mass) {
  MatrixXd M = MatrixXd::Zero(model.nv, model.nv);
  for (size_t b = 0; b < model.free_trees.size(); ++b) {
    const size_t i = static_cast<size_t>(model.trees[model.free_trees[b]].first_link);
    const Link& link = model.links[i];
    const FreeBodyMass& body = mass.free_bodies[b];
    const Matrix3d& R = kinematics.pose[i].R;
    // From velocity at the centre of mass to the public layout: v_c = v - r x w, w = R w_B.
    const Matrix3d r_cross_R = skew(body.r) * R;
    const double m = link.inertia.mass;
    auto block = M.block<6, 6>(link.v_start, link.v_start);
    block.topLeftCorner<3, 3>() = m * Matrix3d::Identity();
    block.topRightCorner<3, 3>() = -m * r_cross_R;
    block.bottomLeftCorner<3, 3>() = -m * r_cross_R.transpose();
    block.bottomRightCorner<3, 3>() = R.transpose() * body.inertia() * R + m * r_cross_R.transpose() * r_cross_R;
    block.diagonal().array() += link.armature;
  }
  for (int index : model.articulated_trees) {
    const Tree& tree = model.trees[index];
    const auto block = mass.block(index);
    const int* v = model.v_of_dof.data() + tree.first_dof;
    for (int c = 0; c < tree.nv; ++c) {
      for (int r = 0; r < tree.nv; ++r) M(v[r], v[c]) = block(r, c);
    }
  }
  return M;
}

}  // namespace stickslip
