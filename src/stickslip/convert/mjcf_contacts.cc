#include <map>
#include <set>

#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

Material material_of(const PairMaterial& pair) {
  Material out;
  out.stiffness = pair.stiffness;
  out.dissipation = pair.dissipation;
  if (pair.relaxation_time > 0 && pair.dissipation == 0) out.relaxation_time = pair.relaxation_time;
  out.static_friction = pair.static_friction;
  out.dynamic_friction = pair.dynamic_friction;
  return out;
}

// A pair has numbers of its own, so both sides' stiffness and friction are what they are here.
void write_pair(MjcfSink& sink, const ContactPair& pair) {
  if (!sink.touchable.contains(pair.geometry_a) || !sink.touchable.contains(pair.geometry_b)) {
    sink.notes.add("left-out-pair", pair.where, "'" + pair.geometry_a + "' and '" + pair.geometry_b + "'",
                   "contact pairs of geometries that MuJoCo cannot let collide are left out");
    return;
  }
  Material material = find_material(sink, pair.material);
  if (pair.material.empty()) material = material_of(sink.masses.pair_material(pair.geometry_a, pair.geometry_b));
  const MjcfContact contact = contact_of(sink, material, sink.masses.reduced_mass(pair.geometry_a, pair.geometry_b));
  const std::array<double, 3>& friction = contact.friction;
  pugi::xml_node node = sink.out.contact.append_child("pair");
  set_text(node, "geom1", pair.geometry_a);
  set_text(node, "geom2", pair.geometry_b);
  set_number(node, "condim", contact.condim, MjcfContact().condim);
  set_numbers(node, "friction", {friction[0], friction[0], friction[1], friction[2], friction[2]});
  set_numbers(node, "solref", contact.solref.data(), 2);
  set_numbers(node, "solimp", contact.solimp.data(), 5);
  set_number(node, "margin", contact.margin, 0);
  set_number(node, "gap", contact.gap, 0);
}

// In MuJoCo a static body collides with what it carries; here the fixed base of a robot does not.
std::set<std::pair<int, int>> joined_to_static_bodies(const MjcfSink& sink) {
  std::map<int, std::set<int>> bodies_of_piece;
  std::set<int> static_pieces;
  for (const CollisionGeometry& geometry : sink.masses.collision().geometries) {
    bodies_of_piece[geometry.piece].insert(geometry.body);
    if (geometry.is_static) static_pieces.insert(geometry.piece);
  }
  std::set<std::pair<int, int>> out;
  for (const std::uint64_t key : sink.masses.collision().adjacent_pieces.keys()) {
    const int a = static_cast<int>(key >> 32), b = static_cast<int>(key & 0xffffffffu);
    if (!static_pieces.contains(a) && !static_pieces.contains(b)) continue;
    for (const int body_a : bodies_of_piece[a]) {
      for (const int body_b : bodies_of_piece[b]) out.insert(std::minmax(body_a, body_b));
    }
  }
  return out;
}

}  // namespace

void write_contacts(MjcfSink& sink) {
  for (const ContactPair& pair : sink.scene.contact_pairs) write_pair(sink, pair);
  std::set<std::pair<int, int>> exclusions = joined_to_static_bodies(sink);
  for (const auto& [a, b] : sink.model.contact_exclusions) exclusions.insert(std::minmax(a, b));
  for (const auto& [a, b] : exclusions) {
    pugi::xml_node node = sink.out.contact.append_child("exclude");
    set_text(node, "body1", sink.model.bodies[a].name);
    set_text(node, "body2", sink.model.bodies[b].name);
  }
}

}  // namespace stickslip::convert
