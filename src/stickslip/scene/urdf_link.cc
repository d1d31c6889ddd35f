#include "stickslip/scene/urdf_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/scene/robot_inertia.h"
#include "stickslip/scene/urdf_geometry.h"
#include "stickslip/shapes/mass.h"

namespace stickslip {
namespace {

double read_mass(const XmlElement& element, const std::string& link) {
  const double mass = element.required_number("value");
  if (mass < 0) {
    throw ModelError("negative-mass", element.where("value"), fmt::format("mass of {} is negative", link),
                     *element.text("value"), "write a mass in kg that is zero or more");
  }
  return mass;
}

Matrix3d read_inertia_matrix(const XmlElement& i) {
  const double xx = i.required_number("ixx"), yy = i.required_number("iyy"), zz = i.required_number("izz");
  const double xy = i.number("ixy", 0), xz = i.number("ixz", 0), yz = i.number("iyz", 0);
  Matrix3d inertia;
  inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return inertia;
}

// Without its <mass> an <inertial> says nothing; Isaac Gym's <density> then tells what the link is made of.
void read_inertial_without_mass(const XmlElement& inertial, const std::string& what, UrdfContext& context,
                                UrdfLink& link) {
  const XmlElement* density = inertial.child("density");
  if (density) {
    link.density = density->required_number("value");
    if (link.density <= 0) {
      throw ModelError("bad-value", density->where("value"), fmt::format("density of {} is not above zero", what),
                       density->text("value", ""), "write a density in kg/m^3");
    }
  }
  context.warn("incomplete-inertial", inertial.where(),
               fmt::format("<inertial> of {} has no <mass>; the link counts as one without <inertial>{}", what,
                           density ? fmt::format(", of density {:g} kg/m^3", link.density) : ""));
}

// A mass without an <inertia> lies where the link's shapes are, or, if nothing is to be mended or there are none, in a
// point.
void spread_mass(const XmlElement& inertial, const std::string& what, UrdfContext& context, Body& body) {
  const MassProperties shapes = context.options.repair ? inferred_mass(body, kWater, context) : MassProperties{};
  if (shapes.mass > 0 && body.inertia.mass > 0) body.inertia = with_mass(shapes, body.inertia.mass);
  context.warn("incomplete-inertial", inertial.where(),
               fmt::format("<inertial> of {} has no <inertia>; its mass is {}", what,
                           shapes.mass > 0 ? "spread over its shapes" : "taken as a point"));
}

// What is left out may not lie either.
void check_numbers(const XmlElement& inertial, const std::string& what) {
  if (const XmlElement* mass = inertial.child("mass")) read_mass(*mass, what);
  if (const XmlElement* inertia = inertial.child("inertia")) read_inertia_matrix(*inertia);
}

void read_inertial(const XmlElement& inertial, const std::string& what, UrdfContext& context, UrdfLink& link) {
  const XmlElement *mass = inertial.child("mass"), *inertia = inertial.child("inertia");
  if (!mass) return read_inertial_without_mass(inertial, what, context, link);
  MassProperties at_center;
  at_center.mass = read_mass(*mass, what);
  if (inertia) {
    at_center.inertia = read_inertia_matrix(*inertia);
    repair_inertia(at_center, inertia->where(), what, context);
  }
  link.body.inertia = expressed_in(read_origin(inertial), at_center);
  if (!inertia) spread_mass(inertial, what, context, link.body);
}

void add_geometry(const XmlElement& element, bool collides, UrdfContext& context, Body& body) {
  std::optional<Geometry> geometry = read_urdf_geometry(element, body.name, collides, context);
  if (geometry) body.geometry.push_back(std::move(*geometry));
}

bool is_for_the_eye(const Geometry& geometry) { return !geometry.collides; }

// What collides is drawn where it stands in for a visual that could not be read.
void choose_visible(const XmlElement& link, Body& body) {
  const bool stands_in =
      link.child("visual") && std::none_of(body.geometry.begin(), body.geometry.end(), is_for_the_eye);
  for (Geometry& geometry : body.geometry) geometry.visible = is_for_the_eye(geometry) || stands_in;
}

}  // namespace

Pose read_origin(const XmlElement& element) {
  const XmlElement* origin = element.child("origin");
  if (!origin) return {};
  const Vector3d rpy = origin->vector3("rpy", Vector3d::Zero());
  const Matrix3d rotation =
      (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
       Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
          .toRotationMatrix();
  return {rotation, origin->vector3("xyz", Vector3d::Zero())};
}

UrdfLink read_link(const XmlElement& element, UrdfContext& context) {
  UrdfLink link;
  Body& body = link.body;
  body.name = element.required_text("name");
  body.where = element.where();
  const std::string what = fmt::format("link '{}'", body.name);
  const std::vector<std::string> understood{"inertial", "visual", "collision"};
  const XmlElement* inertial = element.child("inertial");
  for (const XmlElement& child : element.children) {
    if (child.name == "inertial") {
      if (&child == inertial) continue;
      check_numbers(child, what);
      context.warn("two-inertials", child.where(), what + " has two <inertial>; the first counts");
    } else if (child.name == "visual" || child.name == "collision") {
      add_geometry(child, child.name == "collision", context, body);
    } else {
      context.ignore(element, child, understood);
    }
  }
  if (inertial) read_inertial(*inertial, what, context, link);  // after the shapes, which may have to tell it
  choose_visible(element, body);
  return link;
}

}  // namespace stickslip
