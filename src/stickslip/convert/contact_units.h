#pragma once

#include <map>
#include <string>
#include <utility>

#include "stickslip/geometry/collision_model.h"
#include "stickslip/model/model.h"
#include "stickslip/scene/scene.h"

// Contact parameters from our units to MuJoCo's and back, and the masses that this takes.
namespace stickslip::convert {

// What collides, with the mass that each geometry opposes to a push.
class ContactMasses {
 public:
  explicit ContactMasses(const Model& model);

  // [kg] of a geometry of a body; infinite if no force moves it. Geometries that do not collide weigh nothing.
  double mass(int body, int geometry) const;
  // [kg] of two geometries pressed together.
  double reduced_mass(const std::string& geometry_a, const std::string& geometry_b) const;
  PairMaterial pair_material(const std::string& geometry_a, const std::string& geometry_b) const;

  const CollisionModel& collision() const { return collision_; }

 private:
  int find(const std::string& geometry) const;

  CollisionModel collision_;
  std::map<std::pair<int, int>, double> masses_;  // by body and geometry
};

// MuJoCo's parameters with which a body of `mass` [kg] pressed on a rigid side behaves as with `material`: the inverse
// of in_physical_units (geometry/mjcf_pair.h), so a lone body at rest sinks in as far, and small motions about rest are
// damped by the same force. Of the many pairs of solref and solimp that do so we take an impedance d that does not vary
// with depth, as our springs are linear:
//
//   x_s = mass g / stiffness      K = (1 - d) g / (d^2 x_s)      B = dissipation g / d
//
// with d = 0.9, where MuJoCo's own begins, unless the contact's frequency sqrt(d K) were too fast for `time_step` [s]:
// then d rises. At its upper bound contacts become softer than asked for, which `too_stiff` says.
struct MjcfUnits {
  MjcfContact contact;
  bool too_stiff = false;
};
MjcfUnits in_mjcf_units(const Material& material, double mass, double time_step);

}  // namespace stickslip::convert
