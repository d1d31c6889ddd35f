#include "stickslip/scene/mjcf_equality.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "stickslip/scene/mjcf_rest.h"

namespace stickslip::mjcf {
namespace {

Frame find_site(const Context& context, const MjcfElement& view, std::string_view attribute,
                const std::string& suffix) {
  const std::string name = with_suffix(context.sites, view.text(attribute, ""), suffix);
  return context.scene.frames[context.sites.find(name, view.where(attribute))];
}

void attach_sites(const Context& context, const MjcfElement& view, const std::string& suffix, Constraint& out) {
  const Frame a = find_site(context, view, "site1", suffix), b = find_site(context, view, "site2", suffix);
  out.body_a = a.body;
  out.pose_a = a.pose;
  out.body_b = b.body;
  out.pose_b = b.pose;
}

// X_AB where the model is defined.
Pose relative_pose(const Context& context, const Constraint& constraint) {
  return context.body_pose(constraint.body_a, constraint.where).inverse() *
         context.body_pose(constraint.body_b, constraint.where);
}

void attach_bodies(const Context& context, const MjcfElement& view, const std::string& suffix, Constraint& out) {
  if (!view.has("body1")) view.own().required_text("body1");
  out.body_a = context.body_name(view, "body1", suffix);
  out.body_b = context.body_name(view, "body2", suffix);
}

void read_connect(const Context& context, const MjcfElement& view, const std::string& suffix, Constraint& out) {
  out.kind = Constraint::Kind::kBall;
  if (view.has("site1")) return attach_sites(context, view, suffix, out);
  attach_bodies(context, view, suffix, out);
  if (!view.has("anchor")) view.own().required_text("anchor");
  out.pose_a = Pose::at(view.vector3("anchor", Vector3d::Zero()));
  out.pose_b = Pose::at(relative_pose(context, out).inverse() * out.pose_a.position);
}

void read_weld(Context& context, const MjcfElement& view, const std::string& suffix, Constraint& out) {
  out.kind = Constraint::Kind::kWeld;
  if (view.number("torquescale", 1) != 1) {
    context.warn_once("unsupported-attribute", view.where("torquescale"),
                      "'torquescale' of welds is not supported: the stiffness of rotation follows from the inertia");
  }
  if (view.has("site1")) return attach_sites(context, view, suffix, out);
  attach_bodies(context, view, suffix, out);
  out.pose_b = Pose::at(view.vector3("anchor", Vector3d::Zero()));
  std::array<double, 7> pose{0, 1, 0, 0, 0, 0, 0};  // MuJoCo's way to say "none": the quaternion is zero
  view.overlay("relpose", pose);
  const Quaterniond rotation(pose[3], pose[4], pose[5], pose[6]);
  if (rotation.coeffs().isZero(0)) {
    out.pose_a = relative_pose(context, out) * out.pose_b;
  } else {
    out.pose_a = Pose::from_quaternion(rotation, Vector3d(pose[0], pose[1], pose[2]));
  }
}

void read_coupler(const MjcfElement& view, const NameTable& table, const std::string& suffix, Constraint& out) {
  out.kind = Constraint::Kind::kCoupler;
  const std::string first = table.kind + "1", second = table.kind + "2";
  out.joint_a = with_suffix(table, view.own().required_text(first), suffix);
  table.find(out.joint_a, view.where(first));
  if (const auto name = view.text(second)) {
    out.joint_b = with_suffix(table, *name, suffix);
    table.find(out.joint_b, view.where(second));
  }
  view.overlay("polycoef", out.coefficients);
}

bool uses_unsupported_tendon(const Context& context, const XmlElement& element) {
  return context.unsupported_tendons.contains(element.text("tendon1", "\n")) ||
         context.unsupported_tendons.contains(element.text("tendon2", "\n"));
}

// Without either, a constraint is as stiff as those of any file: MuJoCo's default is a solver's, not the author's.
void read_softness(Context& context, const MjcfElement& view, Constraint& out) {
  if (!view.has("solref") && !view.has("solimp")) return;
  MjcfContact soft;  // begins with MuJoCo's defaults
  view.overlay("solref", soft.solref);
  view.overlay("solimp", soft.solimp);
  const MjcfRest rest = find_rest(soft.solref, soft.solimp);
  out.time_scale = 2 * std::numbers::pi * std::sqrt(rest.depth / kGravity);
  out.damping_ratio = rest.damping_ratio;
  context.warn_once("equality-time-scale", view.where(view.has("solref") ? "solref" : "solimp"),
                    fmt::format("solref and solimp of equality constraints become a time scale, here {:.3g} s with a "
                                "damping ratio of {:.3g}, so that they give way to a steady load as far as in MuJoCo",
                                *out.time_scale, out.damping_ratio));
}

void read_copy(Context& context, const XmlElement& element, const std::string& suffix) {
  const MjcfElement view = context.defaults.resolve(element, "equality");
  Constraint out;
  out.where = element.where();
  out.name = element.text("name", "");
  if (!out.name.empty()) out.name += suffix;
  out.active = view.flag("active", true);
  if (element.name == "connect") {
    read_connect(context, view, suffix, out);
  } else if (element.name == "weld") {
    read_weld(context, view, suffix, out);
  } else if (element.name == "joint") {
    read_coupler(view, context.joints, suffix, out);
  } else if (element.name == "tendon" && !uses_unsupported_tendon(context, element)) {
    out.couples_tendons = true;
    read_coupler(view, context.tendons, suffix, out);
  } else {
    context.warn_once("unsupported-element", element.where(),
                      fmt::format("<{}> constraints {}are not supported and left out", element.name,
                                  element.name == "tendon" ? "on spatial tendons " : ""));
    return;
  }
  read_softness(context, view, out);
  context.scene.constraints.push_back(std::move(out));
}

}  // namespace

void read_equality(Context& context, const XmlElement& root) {
  const Reference references[] = {{"body1", &context.bodies},    {"body2", &context.bodies},
                                  {"site1", &context.sites},     {"site2", &context.sites},
                                  {"joint1", &context.joints},   {"joint2", &context.joints},
                                  {"tendon1", &context.tendons}, {"tendon2", &context.tendons}};
  for (const Copy& copy : copies_in(root, "equality", references)) read_copy(context, *copy.element, copy.suffix);
}

}  // namespace stickslip::mjcf
