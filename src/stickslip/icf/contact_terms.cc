#include "stickslip/icf/contact_terms.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "stickslip/contact/friction.h"
#include "stickslip/contact/normal_law.h"
#include "stickslip/dynamics/point_velocity.h"
#include "stickslip/dynamics/unit_motion.h"
#include "stickslip/geometry/surface_velocity.h"
#include "stickslip/icf/contact_frame.h"
#include "stickslip/icf/end_share.h"
#include "stickslip/icf/patch_motion.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

Vector3d mean_point(const ContactSet& contacts, const ContactPatch& patch) {
  Vector3d sum = contacts.point[patch.first];
  for (int i = patch.first + 1; i < patch.first + patch.count; ++i) sum += contacts.point[i];
  return sum / patch.count;
}

// At the distance and velocity of now.
double normal_force(const ContactTerms& c) {
  if (c.hertz > 0) return hertz_force(c.distance, c.velocity.z(), c.hertz, c.dissipation);
  if (c.relaxes()) return relaxation_force(c.distance, c.velocity.z(), c.stiffness, c.relaxation_time);
  return hunt_crossley_force(c.distance, c.velocity.z(), c.stiffness, c.dissipation);
}

}  // namespace

ContactTerms ContactTerms::stepped_back(double h) const {
  ContactTerms out = *this;
  out.distance -= h * velocity.z();
  out.displacement -= h * velocity.head<2>();
  return out;
}

double ContactTerms::end_share(double h) const {
  const double damping = relaxes() ? pair_stiffness * relaxation_time : 0;
  return stickslip::end_share(h, pair_stiffness, damping, inverse_mass);
}

ContactTermsBuilder::ContactTermsBuilder(const Model& model, bool patches)
    : model_(model),
      patches_(patches),
      free_index_(model.trees.size(), -1),
      has_prescribed_(model.links.size(), false),
      carrier_(model.links.size(), -1) {
  std::vector<bool> is_free_to_move(model.links.size(), false);
  for (size_t i = 0; i < model.free_trees.size(); ++i) free_index_[model.free_trees[i]] = static_cast<int>(i);
  for (size_t i = 1; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    has_prescribed_[i] = link.motion >= 0 || has_prescribed_[link.parent];
    is_free_to_move[i] = velocity_count(link.kind) > 0 || is_free_to_move[link.parent];
    carrier_[i] = has_prescribed_[i] && !is_free_to_move[i] ? static_cast<int>(i) : carrier_[link.parent];
  }
  factors_.resize(model.trees.size());
  inverse_.resize(model.trees.size());
}

void ContactTermsBuilder::add_side(const Query& query, int body, const Vector3d& center, int& tree, PatchSide& side,
                                   ContactTermsList& out) const {
  const Kinematics& kinematics = query.kinematics;
  const int link = model_.bodies[body].link;
  tree = model_.links[link].tree;
  if (tree >= 0 && free_index_[tree] >= 0) {
    side.arm = center - kinematics.pose[link].p - query.mass.free_bodies[free_index_[tree]].r;
    return;
  }
  side.first = static_cast<int>(out.columns.size());
  for (int i = link; i != 0; i = model_.links[i].parent) {
    const Vector3d r = center - kinematics.pose[i].p;
    for (int k = velocity_count(model_.links[i].kind) - 1; k >= 0; --k) {
      const UnitMotion unit = unit_motion(model_, kinematics, i, k);
      out.columns.push_back({model_.links[i].dof + k, unit.v + unit.w.cross(r), unit.w});
    }
  }
  side.count = static_cast<int>(out.columns.size()) - side.first;
  std::reverse(out.columns.begin() + side.first, out.columns.end());
  if (side.count == 0) tree = -1;
}

// W += J M^-1 J' of one side; arm: from the patch's centre to the contact.
void ContactTermsBuilder::add_inverse_mass(const MassMatrix& mass, int tree, const PatchSide& side, const Vector3d& arm,
                                           const ContactTermsList& list, Matrix3d& W) {
  if (tree < 0) return;
  if (free_index_[tree] >= 0) {
    const FreeBodyMass& body = mass.free_bodies[free_index_[tree]];
    const Matrix3d X = skew(side.arm + arm);
    W += Matrix3d::Identity() / body.mass + X * body.inertia().ldlt().solve(Matrix3d(X.transpose()));
    return;
  }
  if (std::find(factored_tree_.begin(), factored_tree_.end(), tree) == factored_tree_.end()) {
    const int n = model_.trees[tree].nv;
    factors_[tree].compute(mass.block(tree));
    inverse_[tree].setIdentity(n, n);
    factors_[tree].solveInPlace(inverse_[tree]);
    factored_tree_.push_back(tree);
  }
  const MatrixXd& inverse = inverse_[tree];
  const auto column = [&](int i) -> Vector3d { return list.columns[i].linear + list.columns[i].angular.cross(arm); };
  for (int i = side.first; i < side.first + side.count; ++i)
    for (int j = side.first; j < side.first + side.count; ++j)
      W += inverse(list.columns[i].dof, list.columns[j].dof) * column(i) * column(j).transpose();
}

double ContactTermsBuilder::inverse_mass(const MassMatrix& mass, const PatchTerms& patch, const ContactTerms& contact,
                                         const ContactTermsList& list) {
  Matrix3d W = Matrix3d::Zero();
  add_inverse_mass(mass, patch.tree_a, patch.a, contact.placed.arm, list, W);
  add_inverse_mass(mass, patch.tree_b, patch.b, contact.placed.arm, list, W);
  return W.norm() / 3;
}

// What prescribed motion contributes to the velocity of a point of one side.
Vector3d ContactTermsBuilder::prescribed_velocity(const Query& query, int body, int tree, const PatchSide& side,
                                                  const Vector3d& arm, const Vector3d& point,
                                                  const ContactTermsList& list) const {
  const int link = model_.bodies[body].link;
  if (!has_prescribed_[link]) return Vector3d::Zero();
  Vector3d velocity = point_velocity(query.kinematics, link, point);
  for (int i = side.first; i < side.first + side.count; ++i) {
    const PatchColumn& column = list.columns[i];
    const int v = model_.v_of_dof[model_.trees[tree].first_dof + column.dof];
    velocity -= query.state.v[v] * (column.linear + column.angular.cross(arm));
  }
  return velocity;
}

void ContactTermsBuilder::add_contact(const Query& query, const ContactPatch& source, const PatchTerms& patch,
                                      const Vector3d& center, int i, ContactTermsList& out) {
  const ContactSet& contacts = query.contacts;
  const int pair = contacts.pair[i];
  const PairMaterial& material = contacts.material[pair];
  const Vector3d &n = contacts.normal[i], &p = contacts.point[i];
  ContactTerms contact;
  PatchContact& placed = contact.placed;
  placed.frame = contact_frame(query.collision, query.kinematics, contacts, i);
  placed.arm = p - center;
  contact.point = p;
  placed.source = i;
  contact.distance = contacts.distance[i];
  contact.dissipation = material.dissipation;
  contact.relaxation_time = material.relaxation_time;
  contact.stiction_tolerance = material.stiction_tolerance;
  const bool rigid = std::isinf(material.stiffness);
  contact.is_rigid = rigid;
  contact.hertz = contacts.weight[i] * material.hertz;
  if (query.with_inverse_mass || rigid) contact.inverse_mass = inverse_mass(query.mass, patch, contact, out);
  // Two rigid sides are as stiff as loop closures are.
  const double frequency = 2 * std::numbers::pi / query.scales.holonomic;
  contact.pair_stiffness =
      rigid ? frequency * frequency / contact.inverse_mass : material.stiffness_at(-contact.distance);
  contact.stiffness = contacts.weight[i] * contact.pair_stiffness;

  const Vector3d surface =
      surface_velocity(query.collision, query.kinematics, contacts.geometry_a[pair], contacts.geometry_b[pair], n);
  const Vector3d bias = prescribed_velocity(query, source.body_b, patch.tree_b, patch.b, placed.arm, p, out) -
                        prescribed_velocity(query, source.body_a, patch.tree_a, patch.a, placed.arm, p, out);
  placed.bias = placed.frame.transpose() * (bias + surface);

  const Vector3d relative = point_velocity(query.kinematics, model_.bodies[source.body_b].link, p) -
                            point_velocity(query.kinematics, model_.bodies[source.body_a].link, p);
  const Vector3d v = placed.frame.transpose() * (relative + surface);
  contact.velocity = v;
  const double slip = std::hypot(v.x(), v.y());
  contact.friction =
      friction_coefficient(material.static_friction, material.dynamic_friction, slip / contact.stiction_tolerance);
  contact.force = normal_force(contact);
  out.contacts.push_back(contact);
}

void ContactTermsBuilder::build(const Query& query, ContactTermsList& out) {
  out.patches.clear();
  out.columns.clear();
  out.contacts.clear();
  factored_tree_.clear();
  for (const ContactPatch& source : query.contacts.patches) {
    if (patches_) {
      add_patch(query, source, out);
      continue;
    }
    for (int i = source.first; i < source.first + source.count; ++i)
      add_patch(query, {source.body_a, source.body_b, i, 1}, out);
  }
}

void ContactTermsBuilder::add_patch(const Query& query, const ContactPatch& source, ContactTermsList& out) {
  const Vector3d center = mean_point(query.contacts, source);
  PatchTerms patch;
  patch.first = source.first;
  patch.count = source.count;
  patch.carrier_a = carrier_[model_.bodies[source.body_a].link];
  patch.carrier_b = carrier_[model_.bodies[source.body_b].link];
  add_side(query, source.body_a, center, patch.tree_a, patch.a, out);
  add_side(query, source.body_b, center, patch.tree_b, patch.b, out);
  for (int i = source.first; i < source.first + source.count; ++i) add_contact(query, source, patch, center, i, out);
  out.patches.push_back(patch);
}

}  // namespace stickslip
