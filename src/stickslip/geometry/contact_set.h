#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/math/types.h"

namespace stickslip {

// The law's parameters for a pair of geometries, combined from their materials.
struct PairMaterial {
  double stiffness = 0;        // [N/m]; infinite if both sides are rigid
  double hertz = 0;            // K of Hertz's law K delta^1.5 [N/m^1.5]; 0: linear, with the stiffness
  double dissipation = 0;      // Hunt & Crossley [s/m]
  double relaxation_time = 0;  // [s]; 0 if neither side gives one
  double static_friction = 0;
  double dynamic_friction = 0;
  double stiction_tolerance = 0;    // [m/s]
  double compliance_share_a = 0.5;  // the part of the overlap that A's surface gives way
  bool has_grain = false;           // friction depends on direction

  // Of a contact with all of the pair's weight, at rest.
  double force_at(double overlap) const;      // [N]
  double stiffness_at(double overlap) const;  // its derivative [N/m]
  double energy_at(double overlap) const;     // its integral [J]
};

// All contacts between two bodies, contiguous in the arrays of a ContactSet.
struct ContactPatch {
  int body_a = 0, body_b = 0;  // body_a < body_b
  int first = 0, count = 0;
};

// Contacts of a whole scene as a structure of arrays: patch by patch (bodies ascending), within a patch by pair of
// geometries (ascending), within that in the order of their manifolds. World axes.
struct ContactSet {
  std::vector<ContactPatch> patches;

  // Each contact:
  std::vector<Vector3d> point;         // where the force acts: divides the overlap by the sides' compliance
  std::vector<Vector3d> normal;        // unit, from A to B
  std::vector<Vector3d> tangent;       // unit; the second is normal x tangent
  std::vector<double> distance;        // phi: negative where they overlap
  std::vector<double> weight;          // share of the pair's stiffness
  std::vector<int> pair;               // index into the arrays of pairs below
  std::vector<std::uint64_t> feature;  // with the geometries: names the contact from one query to the next

  // Each pair of geometries that has contacts:
  std::vector<int> geometry_a, geometry_b;  // indices into CollisionModel::geometries
  std::vector<PairMaterial> material;

  int size() const { return static_cast<int>(distance.size()); }
  void clear();
};

// A unit vector perpendicular to the unit vector n; a smooth function of it except at one direction, -z.
Vector3d tangent_of(const Vector3d& normal);

}  // namespace stickslip
