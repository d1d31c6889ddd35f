#include "stickslip/icf/present_forces.h"

#include "stickslip/contact/friction.h"
#include "stickslip/icf/patch_motion.h"

namespace stickslip {
namespace {

// The rule takes half of what acts now, as if nothing were stiff.
template <typename Spec>
double start_weight(const Spec& spec, double h) {
  return 2 * (1 - spec.end_share(h));
}

// Contact's frame: the normal force, and friction: of the spring that remembers, or against the slip.
Vector3d contact_force(const ContactTerms& contact) {
  const Vector3d& v = contact.velocity;
  if (contact.tangential_stiffness > 0) {
    const Vector2d pull =
        contact.tangential_stiffness * contact.displacement + contact.tangential_damping * v.head<2>();
    const double most = contact.friction * contact.force, length = pull.norm();
    const double share = length > most ? most / length : 1;
    return {-share * pull.x(), -share * pull.y(), contact.force};
  }
  const SoftNorm<double> slip(v.x() * v.x() + v.y() * v.y(), contact.stiction_tolerance);
  const double c = contact.friction * contact.force / slip.root;
  return {-c * v.x(), -c * v.y(), contact.force};
}

void add_patch(const Model& model, const ContactTermsList& list, const PatchTerms& patch, double h, VectorXd& out) {
  Twist wrench;  // on B, about the patch's centre
  for (int i = patch.first; i < patch.first + patch.count; ++i) {
    const ContactTerms& contact = list.contacts[i];
    if (contact.force == 0) continue;
    const Vector3d force = contact.placed.frame * (start_weight(contact, h) * contact_force(contact));
    wrench.linear += force;
    wrench.angular += contact.placed.arm.cross(force);
  }
  const auto add = [&](int tree, const PatchSide& side, double sign) {
    if (tree >= 0) add_wrench(list.columns, side, wrench, sign, out.data() + model.trees[tree].first_dof);
  };
  add(patch.tree_a, patch.a, -1);
  add(patch.tree_b, patch.b, 1);
}

}  // namespace

void compute_present_forces(const Model& model, const ContactTermsList& contacts, const RowList& rows,
                            const RowList& end_rows, double h, PresentForces& out) {
  for (VectorXd* x : {&out.contact, &out.actuators, &out.damping, &out.springs}) x->setZero(model.nv);
  for (const PatchTerms& patch : contacts.patches) add_patch(model, contacts, patch, h, out.contact);
  const auto add_row = [&](const IndexRange& range, double force, VectorXd& x) {
    for (int i = range.first; i < range.end(); ++i) {
      const TreeEntry& entry = rows.entries[i];
      x[model.trees[entry.tree].first_dof + entry.dof] += force * entry.value;
    }
  };
  for (size_t i = 0; i < rows.limits.size(); ++i) {
    const LimitSpec& spec = rows.limits[i];
    if (!spec.is_stiff) add_row(spec.entries, start_weight(end_rows.limits[i], h) * spec.force(), out.contact);
  }
  for (size_t i = 0; i < rows.forces.size(); ++i) {
    const ForceSpec& spec = rows.forces[i];
    if (spec.is_stiff) continue;
    const double weight = start_weight(end_rows.forces[i], h), force = weight * spec.force();
    switch (spec.kind) {
      case RowKind::kConstraint:
        add_row(spec.entries, force, out.contact);
        break;
      case RowKind::kActuator:
        add_row(spec.entries, force, out.actuators);
        break;
      case RowKind::kFriction:
        add_row(spec.entries, force, out.damping);
        break;
      case RowKind::kTendon:
        add_row(spec.entries, -weight * spec.damping * spec.speed, out.damping);
        add_row(spec.entries, force + weight * spec.damping * spec.speed, out.springs);
        break;
    }
  }
}

}  // namespace stickslip
