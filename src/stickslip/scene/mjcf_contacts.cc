#include "stickslip/scene/mjcf_contacts.h"

#include "stickslip/scene/mjcf_materials.h"

namespace stickslip::mjcf {
namespace {

// A pair has parameters of its own; those of its geoms do not count.
MjcfContact pair_contact(Context& context, const MjcfElement& view) {
  MjcfContact out;
  out.condim = view.integer("condim", out.condim);
  out.margin = view.number("margin", out.margin);
  out.gap = view.number("gap", out.gap);
  view.overlay("solref", out.solref);
  view.overlay("solimp", out.solimp);
  std::array<double, 5> friction{1, 1, 0.005, 0.0001, 0.0001};  // sliding twice, torsion, rolling twice
  view.overlay("friction", friction);
  if (friction[0] != friction[1] && out.condim > 1) {
    context.warn_once("unsupported-attribute", view.where("friction"),
                      "friction that differs between two directions is not supported; the first is used for both");
  }
  out.friction = {friction[0], friction[2], friction[3]};
  check_condim(context, out.condim, view.where("condim"));
  check_margin(context, out, view.where(view.has("margin") ? "margin" : "gap"));
  return out;
}

void read_pair(Context& context, const XmlElement& element, const std::string& suffix) {
  const MjcfElement view = context.defaults.resolve(element, "pair");
  const std::string a = with_suffix(context.geoms, element.required_text("geom1"), suffix);
  const std::string b = with_suffix(context.geoms, element.required_text("geom2"), suffix);
  context.geometry(context.geom_places[context.geoms.find(a, element.where("geom1"))]).collides = true;
  context.geometry(context.geom_places[context.geoms.find(b, element.where("geom2"))]).collides = true;
  const std::string material = contact_material(context, pair_contact(context, view), element.where());
  context.scene.contact_pairs.push_back({element.where(), a, b, material});
}

}  // namespace

void read_contacts(Context& context, const XmlElement& root) {
  const Reference references[] = {
      {"geom1", &context.geoms}, {"geom2", &context.geoms}, {"body1", &context.bodies}, {"body2", &context.bodies}};
  for (const auto& [element, suffix, group] : copies_in(root, "contact", references)) {
    if (element->name == "pair") {
      read_pair(context, *element, suffix);
    } else if (element->name == "exclude") {
      const MjcfElement view(*element);
      element->required_text("body1");
      element->required_text("body2");
      context.scene.contact_exclusions.push_back(
          {element->where(), context.body_name(view, "body1", suffix), context.body_name(view, "body2", suffix)});
    }
  }
}

}  // namespace stickslip::mjcf
