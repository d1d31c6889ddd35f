#include "stickslip/icf/stored_energy.h"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

double overlap_energy(const ContactTerms& contact) {
  const double overlap = std::max(0.0, -contact.distance);
  if (contact.hertz > 0) return 0.4 * contact.hertz * overlap * overlap * std::sqrt(overlap);
  return std::isfinite(contact.stiffness) ? 0.5 * contact.stiffness * overlap * overlap : 0;
}

// What returns at `speed` at most.
double slow_energy(double mass, double speed) { return 0.5 * mass * speed * speed; }

void add_limit(const LimitSpec& limit, double return_speed, TreeEnergy& energy) {
  const double depth = std::max(0.0, -limit.distance), most = slow_energy(limit.mass, return_speed);
  const double stored = 0.5 * limit.stiffness * depth * depth;
  energy.elastic += stored;
  energy.slow += std::max(0.0, stored - most);
}

void add_constraint(const ForceSpec& row, TreeEnergy& energy) {
  constexpr double kOvershoot = 1.5;  // of the speed at which gaps close
  const double stored = 0.5 * row.offset * row.offset / row.stiffness;
  (row.is_stiff ? energy.stiff : energy.elastic) += stored;
  if (row.is_stiff) energy.closing += std::min(stored, slow_energy(row.mass, kOvershoot * row.closing.speed));
}

}  // namespace

void add_stored_energy(const ContactTermsList& contacts, const RowList& rows, const TimeScales& scales,
                       std::vector<TreeEnergy>& energy) {
  for (const PatchTerms& patch : contacts.patches) {
    const int tree = patch.tree_b >= 0 ? patch.tree_b : patch.tree_a;
    if (tree < 0) continue;
    for (int i = patch.first; i < patch.first + patch.count; ++i) {
      const ContactTerms& contact = contacts.contacts[i];
      if (!(contact.distance < 0)) continue;
      (contact.is_rigid ? energy[tree].stiff : energy[tree].elastic) += overlap_energy(contact);
      if (contact.is_rigid) energy[tree].closing += overlap_energy(contact);
    }
  }
  const auto tree_of = [&](const auto& row) -> TreeEnergy& { return energy[rows.entries[row.entries.first].tree]; };
  for (const LimitSpec& limit : rows.limits)
    if (limit.distance < 0 && limit.entries.count > 0) add_limit(limit, scales.closing.largest, tree_of(limit));
  for (const ForceSpec& row : rows.forces)
    if (row.kind == RowKind::kConstraint && row.stiffness > 0 && row.entries.count > 0)
      add_constraint(row, tree_of(row));
}

void add_grip_energy(const Model& model, const CollisionModel& collision, std::span<const Grip> grips,
                     std::vector<TreeEnergy>& energy) {
  for (const Grip& grip : grips) {
    for (const int geometry : {grip.geometry_b, grip.geometry_a}) {
      const int tree = model.links[collision.geometries[geometry].link].tree;
      if (tree < 0 || model.trees[tree].nv == 0) continue;
      energy[tree].elastic += grip.energy;
      break;
    }
  }
}

}  // namespace stickslip
