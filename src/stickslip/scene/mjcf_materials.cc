#include "stickslip/scene/mjcf_materials.h"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip::mjcf {
namespace {

// All that tells one contact from another.
ContactKey key_of(const MjcfContact& c) {
  return {static_cast<double>(c.condim),
          static_cast<double>(c.priority),
          c.friction[0],
          c.friction[1],
          c.friction[2],
          c.solmix,
          c.solref[0],
          c.solref[1],
          c.solimp[0],
          c.solimp[1],
          c.solimp[2],
          c.solimp[3],
          c.solimp[4],
          c.margin,
          c.gap};
}

bool collides(const MjcfElement& geom) { return geom.number("contype", 1) != 0 || geom.number("conaffinity", 1) != 0; }

}  // namespace

void check_condim(Context& context, int condim, const Location& where) {
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6) {
    throw ModelError("bad-condim", where, "condim is none of 1, 3, 4 and 6", fmt::format("{}", condim), "write 3");
  }
  if (condim > 3) {
    context.warn_once("unsupported-condim", where,
                      "torsional and rolling friction (condim 4 and 6) are not supported; contacts have sliding "
                      "friction only");
  }
}

void check_margin(Context& context, const MjcfContact& contact, const Location& where) {
  if (!(contact.margin > 0)) return;  // whatever the gap is, MuJoCo 4 pushes within the margin
  context.warn_once("unsupported-attribute", where,
                    "contact forces at a distance ('margin') are not supported; contacts begin where surfaces touch");
}

std::string contact_material(Context& context, const MjcfContact& contact, const Location& where) {
  const auto [known, is_new] = context.contact_materials.try_emplace(key_of(contact));
  if (!is_new) return known->second;
  std::vector<Material>& materials = context.scene.materials;
  Material material;
  material.name = fmt::format("contact_{}", materials.size());
  material.where = where;
  material.static_friction = material.dynamic_friction = contact.friction[0];
  material.mjcf = contact;
  known->second = material.name;
  materials.push_back(std::move(material));
  return known->second;
}

std::string contact_material(Context& context, const MjcfElement& geom) {
  MjcfContact contact;
  contact.condim = geom.integer("condim", contact.condim);
  contact.priority = geom.integer("priority", contact.priority);
  contact.solmix = geom.number("solmix", contact.solmix);
  contact.margin = geom.number("margin", contact.margin);
  contact.gap = geom.number("gap", contact.gap);
  geom.overlay("friction", contact.friction);
  geom.overlay("solref", contact.solref);
  geom.overlay("solimp", contact.solimp);
  check_condim(context, contact.condim, geom.where("condim"));
  if (collides(geom)) check_margin(context, contact, geom.where(geom.has("margin") ? "margin" : "gap"));
  if (*std::min_element(contact.friction.begin(), contact.friction.end()) < 0) {
    throw ModelError("negative-friction", geom.where("friction"), "friction is negative", geom.text("friction", ""),
                     "give numbers that are zero or more");
  }
  return contact_material(context, contact, geom.where());
}

}  // namespace stickslip::mjcf
