#include <algorithm>
#include <set>

#include "stickslip/convert/mjcf_sink.h"

namespace stickslip::convert {

Material find_material(const MjcfSink& sink, const std::string& name) {
  const auto named = [&](const Material& material) { return material.name == name; };
  const auto found = std::find_if(sink.scene.materials.begin(), sink.scene.materials.end(), named);
  return found == sink.scene.materials.end() || name.empty() ? Material{} : *found;
}

MjcfContact contact_of(MjcfSink& sink, const Material& material, double mass) {
  if (material.mjcf) return *material.mjcf;
  const std::string subject = material.name.empty() ? "the default material" : "material '" + material.name + "'";
  const Location where = material.name.empty() ? Location{sink.scene.file, 0, 0} : material.where;
  sink.notes.add(
      "contact-units", where, subject,
      "stiffness and dissipation become solref and solimp, by the mass of each body against something rigid; "
      "what cannot move has no say (solmix 0), and a stiction tolerance no counterpart");
  if (material.static_friction != material.dynamic_friction) {
    sink.notes.add("static-friction", where, subject, "MuJoCo has one coefficient of friction: the dynamic one");
  }
  if (material.youngs_modulus) {
    sink.notes.add("hertz", where, subject,
                   "MuJoCo's contacts are linear: Hertz's law is left out, 'stiffness' counts");
  }
  if (material.grain) {
    sink.notes.add("grain", where, subject, "friction is the same in all directions: that across the grain");
  }
  const MjcfUnits units = in_mjcf_units(material, mass < kInfinity ? mass : 1, sink.time_step);
  if (mass < kInfinity) {
    if (units.too_stiff) {
      sink.notes.add("too-stiff", where, subject,
                     "contacts are softer than written: MuJoCo could not follow them with its time step");
    }
    return units.contact;
  }
  MjcfContact immovable;
  immovable.condim = units.contact.condim;
  immovable.friction = units.contact.friction;
  immovable.solmix = 0;
  return immovable;
}

void note_mixing(MjcfSink& sink) {
  std::set<double> frictions;
  Location where{sink.scene.file, 0, 0};
  for (const CollisionGeometry& geometry : sink.masses.collision().geometries) {
    const Material& material = sink.masses.collision().materials[geometry.material];
    if (material.mjcf) continue;
    frictions.insert(material.dynamic_friction);
    if (material.where.line > 0) where = material.where;
  }
  if (frictions.size() < 2) return;
  sink.notes.add("contact-mixing", where, "",
                 "materials of unequal friction meet by the larger coefficient in MuJoCo, by the harmonic mean here; "
                 "list such pairs to say otherwise");
}

}  // namespace stickslip::convert
