#include "stickslip/scene/mjcf_tendons.h"

#include <fmt/format.h>

#include "stickslip/scene/mjcf_joints.h"

namespace stickslip::mjcf {
namespace {

Tendon::Term read_term(const Context& context, const XmlElement& element, const std::string& suffix) {
  const std::string name = with_suffix(context.joints, element.required_text("joint"), suffix);
  const Joint& joint = context.scene.joints[context.joints.find(name, element.where("joint"))];
  if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) {
    throw ModelError("bad-tendon", element.where("joint"), "a fixed tendon needs hinge or slide joints", name);
  }
  return {name, element.required_number("coef")};
}

// Without springlength the spring is at rest where the joints' own springs are.
Range spring_rest(const Context& context, const MjcfElement& view, const Tendon& tendon) {
  const auto given = view.numbers("springlength", 1, 2);
  if (given && (*given)[0] >= 0) return {given->front(), given->back()};
  double length = 0;
  for (const Tendon::Term& term : tendon.terms) {
    length += term.coefficient * context.scene.joints[context.joints.index.at(term.joint)].spring_reference;
  }
  return {length, length};
}

void read_fixed(Context& context, const XmlElement& element, const std::string& suffix, int group) {
  const MjcfElement view = context.defaults.resolve(element, "tendon");
  const std::string base = element.text("name", "");
  const std::size_t index = context.scene.tendons.size();
  Tendon tendon;
  tendon.name = base.empty() ? fmt::format("tendon_{}", index) : base + suffix;
  tendon.where = element.where();
  for (const XmlElement& child : element.children) {
    if (child.name == "joint") tendon.terms.push_back(read_term(context, child, suffix));
  }
  tendon.stiffness = linear_coefficient(context, view, "stiffness");
  tendon.damping = linear_coefficient(context, view, "damping");
  tendon.dry_friction = view.number("frictionloss", 0);
  tendon.spring_rest = spring_rest(context, view, tendon);
  tendon.limits = read_limits(view, context.compiler, "range", "limited");
  if (view.number("armature", 0) != 0) {
    context.warn_once("unsupported-attribute", view.where("armature"), "armature of tendons is not supported");
  }
  context.tendons.add({base.empty() ? tendon.name : base, base.empty() ? "" : suffix, group}, index, element.where());
  context.scene.tendons.push_back(std::move(tendon));
}

void read_spatial(Context& context, const XmlElement& element, const std::string& suffix) {
  context.warn_once("unsupported-element", element.where(), "spatial tendons are not supported and left out");
  context.unsupported_tendons.insert(element.text("name", "") + suffix);
  context.unsupported_tendons.insert(element.text("name", ""));
}

}  // namespace

void read_tendons(Context& context, const XmlElement& root) {
  const Reference references[] = {{"joint", &context.joints}, {"site", &context.sites}, {"geom", &context.geoms}};
  for (const auto& [element, suffix, group] : copies_in(root, "tendon", references)) {
    if (element->name == "spatial") {
      read_spatial(context, *element, suffix);
    } else {
      read_fixed(context, *element, suffix, group);
    }
  }
}

}  // namespace stickslip::mjcf
