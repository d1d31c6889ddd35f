#include "stickslip/scene/sdf_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/scene/robot_inertia.h"
#include "stickslip/scene/robot_mass.h"
#include "stickslip/scene/sdf_geometry.h"
#include "stickslip/scene/sdf_surface.h"
#include "stickslip/shapes/mass.h"

namespace stickslip::sdf {
namespace {

constexpr double kDefaultDensity = 1000;  // [kg/m^3], the format's for <inertial auto="true">

Matrix3d inertia_matrix(const XmlElement& inertial) {
  const XmlElement* i = inertial.child("inertia");
  if (!i) return Matrix3d::Identity();  // the format's default
  const double xx = number_in(*i, "ixx", 1), yy = number_in(*i, "iyy", 1), zz = number_in(*i, "izz", 1);
  const double xy = number_in(*i, "ixy", 0), xz = number_in(*i, "ixz", 0), yz = number_in(*i, "iyz", 0);
  Matrix3d out;
  out << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return out;
}

double read_mass(const XmlElement& inertial, const std::string& owner) {
  const double mass = number_in(inertial, "mass", 1);  // the format's default
  if (mass >= 0) return mass;
  throw ModelError("negative-mass", inertial.child("mass")->content_where(),
                   fmt::format("mass of {} is negative", owner), inertial.child("mass")->content.value,
                   "write a mass in kg that is zero or more");
}

MassProperties read_inertial(const XmlElement& inertial, const std::string& owner, SdfContext& context) {
  MassProperties at_center;
  at_center.mass = read_mass(inertial, owner);
  at_center.inertia = inertia_matrix(inertial);
  context.ignore_all_but(inertial, {"mass", "pose", "inertia", "density"});
  repair_inertia(at_center, inertial.child("inertia") ? inertial.child("inertia")->where() : inertial.where(), owner,
                 context);
  return expressed_in(pose_in(inertial).pose, at_center);
}

// What <inertial auto="true"> asks for: the collision shapes, filled with matter.
MassProperties mass_of_collisions(const XmlElement& link, const XmlElement& inertial, const Body& body,
                                  SdfContext& context) {
  const double general = number_in(inertial, "density", kDefaultDensity);
  MassProperties sum;
  std::size_t at = 0;
  for (const XmlElement& child : link.children) {
    if (child.name != "collision") continue;
    const auto placed = [&](const Geometry& g) { return g.where.line == child.line && g.where.column == child.column; };
    const auto geometry =
        std::find_if(body.geometry.begin() + static_cast<std::ptrdiff_t>(at), body.geometry.end(), placed);
    if (geometry == body.geometry.end() || std::holds_alternative<HalfSpace>(geometry->shape)) continue;
    at = static_cast<std::size_t>(geometry - body.geometry.begin());
    const double density = number_in(child, "density", general);
    sum = sum + expressed_in(geometry->pose, mass_properties(geometry->shape, density));
    warn_of_open_mesh(*geometry, body, context);
  }
  if (sum.mass == 0 || !inertial.child("mass")) return sum;
  return with_mass(sum, number_in(inertial, "mass", sum.mass));
}

std::array<double, 4> read_color(const XmlElement& visual, const std::array<double, 4>& fallback) {
  const XmlElement* material = visual.child("material");
  if (!material) return fallback;
  for (const char* name : {"diffuse", "ambient"}) {
    const XmlElement* color = material->child(name);
    if (!color) continue;
    const std::vector<double> rgba = parse_numbers(color->content.value, color->content_where(), name);
    if (rgba.size() < 3) continue;
    std::array<double, 4> out{0, 0, 0, 1};
    for (std::size_t k = 0; k < std::min<std::size_t>(rgba.size(), 4); ++k) out[k] = std::clamp(rgba[k], 0.0, 1.0);
    return out;
  }
  return fallback;
}

void add_geometry(const XmlElement& element, const Scope& scope, Scopes& scopes, const Pose& X_ML, SdfContext& context,
                  Body& body, Scene& scene) {
  const bool collides = element.name == "collision";
  const std::string owner = fmt::format("link '{}'", body.name);
  const XmlElement* holder = element.child("geometry");
  if (!holder) {
    context.warn("missing-element", element.where(),
                 fmt::format("<{}> of {} has no <geometry> and is left out", element.name, owner));
    return;
  }
  std::optional<PlacedShape> placed = read_shape(*holder, collides, owner, context);
  if (!placed) return;
  Geometry geometry;
  geometry.name = element.has("name") ? fmt::format("{}::{}", body.name, *element.text("name")) : "";
  geometry.where = element.where();
  geometry.collides = collides;
  geometry.visible = !collides;
  const RawPose raw = pose_in(element);
  const Pose X_LC = raw.relative_to.empty() ? raw.pose : X_ML.inverse() * scopes.placed(scope, raw, "");
  geometry.pose = X_LC * placed->pose;
  geometry.shape = std::move(placed->shape);
  if (collides) {
    read_surface(element, context, geometry, scene);
  } else {
    geometry.color = read_color(element, geometry.color);
    geometry.color[3] *= 1 - std::clamp(number_in(element, "transparency", 0), 0.0, 1.0);
  }
  static const std::vector<std::string> kUnderstood{"geometry",     "pose",         "surface",
                                                    "material",     "transparency", "density",
                                                    "max_contacts", "cast_shadows", "drake:proximity_properties"};
  context.ignore_all_but(element, kUnderstood);
  body.geometry.push_back(std::move(geometry));
}

void read_dynamics_flags(const XmlElement& link, SdfContext& context, Body& body) {
  if (!flag_in(link, "gravity", true)) body.gravity_scale = 0;
  if (flag_in(link, "kinematic", false)) {
    context.warn("unsupported-element", link.child("kinematic")->where(),
                 fmt::format("link '{}' is kinematic, which is not supported: it moves as any other", body.name));
  }
  const XmlElement* decay = link.child("velocity_decay");
  if (decay && (number_in(*decay, "linear", 0) != 0 || number_in(*decay, "angular", 0) != 0)) {
    context.ignore(link, *decay, {});
  }
}

}  // namespace

void read_link(const XmlElement& link, const Scope& scope, Scopes& scopes, SdfContext& context, Body& body,
               Scene& scene) {
  const std::string owner = fmt::format("link '{}'", body.name);
  const Pose X_ML = scopes.pose(scope, link.required_text("name"), link.where());
  for (const XmlElement& child : link.children) {
    if (child.name == "visual" || child.name == "collision") {
      add_geometry(child, scope, scopes, X_ML, context, body, scene);
    }
  }
  const XmlElement* inertial = link.child("inertial");
  const bool automatic = inertial && (inertial->text("auto", "") == "true" || inertial->text("auto", "") == "1");
  if (automatic) {
    body.inertia = mass_of_collisions(link, *inertial, body, context);
  } else if (inertial) {
    body.inertia = read_inertial(*inertial, owner, context);
  } else {
    body.inertia = {1, Vector3d::Zero(), Matrix3d::Identity()};
    if (!body.fixed) {
      context.warn("default-inertial", link.where(),
                   fmt::format("{} has no <inertial>: it weighs 1 kg with moments of 1 kg m^2, SDF's default", owner));
    }
  }
  read_dynamics_flags(link, context, body);
  static const std::vector<std::string> kUnderstood{"inertial",       "visual",       "collision",
                                                    "pose",           "gravity",      "kinematic",
                                                    "velocity_decay", "self_collide", "must_be_base_link"};
  context.ignore_all_but(link, kUnderstood);
}

}  // namespace stickslip::sdf
