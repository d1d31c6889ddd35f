#include "stickslip/scene/mjcf_materials.h"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip::mjcf {
namespace {

bool same(const MjcfContact& a, const MjcfContact& b) {
  return a.condim == b.condim && a.priority == b.priority && a.friction == b.friction && a.solmix == b.solmix &&
         a.solref == b.solref && a.solimp == b.solimp && a.margin == b.margin && a.gap == b.gap;
}

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

std::string contact_material(Context& context, const MjcfContact& contact, const Location& where) {
  std::vector<Material>& materials = context.scene.materials;
  for (const Material& material : materials) {
    if (material.mjcf && same(*material.mjcf, contact)) return material.name;
  }
  Material material;
  material.name = fmt::format("contact_{}", materials.size());
  material.where = where;
  material.static_friction = material.dynamic_friction = contact.friction[0];
  material.mjcf = contact;
  materials.push_back(std::move(material));
  return materials.back().name;
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
  if (*std::min_element(contact.friction.begin(), contact.friction.end()) < 0) {
    throw ModelError("negative-friction", geom.where("friction"), "friction is negative", geom.text("friction", ""),
                     "give numbers that are zero or more");
  }
  return contact_material(context, contact, geom.where());
}

}  // namespace stickslip::mjcf
