#include "stickslip/scene/mjcf_options.h"

#include <fmt/format.h>

namespace stickslip::mjcf {
namespace {

template <typename Change>
void for_each_geometry(Scene& scene, Change change) {
  for (Geometry& geometry : scene.world_geometry) change(geometry);
  for (Body& body : scene.bodies) {
    for (Geometry& geometry : body.geometry) change(geometry);
  }
}

void disable(Scene& scene, const std::string& part) {
  if (part == "gravity") scene.gravity.setZero();
  if (part == "filterparent") scene.filter_parent_child = false;
  if (part == "contact" || part == "constraint") {
    for_each_geometry(scene, [](Geometry& geometry) { geometry.collides = false; });
    scene.contact_pairs.clear();
  }
  if (part == "equality" || part == "constraint") {
    for (Constraint& constraint : scene.constraints) constraint.active = false;
  }
  if (part == "limit" || part == "constraint") {
    for (Joint& joint : scene.joints) joint.limits = {};
    for (Tendon& tendon : scene.tendons) tendon.limits = {};
  }
  if (part == "frictionloss" || part == "constraint") {
    for (Joint& joint : scene.joints) joint.dry_friction = 0;
    for (Tendon& tendon : scene.tendons) tendon.dry_friction = 0;
  }
  if (part == "spring" || part == "passive") {
    for (Joint& joint : scene.joints) joint.stiffness = 0;
    for (Tendon& tendon : scene.tendons) tendon.stiffness = 0;
  }
  if (part == "damper" || part == "passive") {
    for (Joint& joint : scene.joints) joint.damping = 0;
    for (Tendon& tendon : scene.tendons) tendon.damping = 0;
  }
  if (part == "clampctrl") {
    for (Actuator& actuator : scene.actuators) actuator.control_limits = {};
  }
  if (part == "actuation") {
    for (Actuator& actuator : scene.actuators) actuator.gain = actuator.bias = {0, 0, 0};
  }
}

void apply_flags(Context& context, const XmlElement& flags) {
  for (const XmlAttribute& attribute : flags.attributes) {
    if (attribute.value == "disable") disable(context.scene, attribute.name);
    if (attribute.value != "disable" && attribute.value != "enable") {
      throw ModelError("bad-keyword", flags.where(attribute.name),
                       fmt::format("flag '{}' is neither enable nor disable", attribute.name), attribute.value);
    }
    if (attribute.name == "override" && attribute.value == "enable") {
      context.warn_once("unsupported-attribute", flags.where(attribute.name),
                        "contact parameters that override all geoms' are not supported");
    }
  }
}

}  // namespace

void apply_options(Context& context, const XmlElement& root) {
  Scene& scene = context.scene;
  for (const XmlElement& compiler : root.children) {
    if (compiler.name != "compiler" || compiler.text("alignfree", "") != "true") continue;
    context.warn_once("unsupported-attribute", compiler.where("alignfree"),
                      "'alignfree' is not supported: frames of free bodies stay where they are written");
  }
  for (const XmlElement& option : root.children) {
    if (option.name != "option") continue;
    scene.gravity = option.vector3("gravity", scene.gravity);
    if (const auto step = option.number("timestep")) {
      if (*step <= 0) {
        throw ModelError("bad-time-step", option.where("timestep"), "'timestep' is not positive",
                         option.text("timestep", ""), "give a positive number of seconds");
      }
      scene.simulation.file_time_step = *step;
    }
    for (const char* fluid : {"density", "viscosity"}) {
      if (option.number(fluid, 0) > 0) {
        context.warn_once("unsupported-fluid", option.where(fluid), "forces of a surrounding fluid are not supported");
      }
    }
  }
  for (const XmlElement& option : root.children) {
    if (option.name != "option") continue;
    for (const XmlElement& child : option.children) {
      if (child.name == "flag") apply_flags(context, child);
    }
  }
}

}  // namespace stickslip::mjcf
