#include "stickslip/scene/urdf_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/scene/robot_inertia.h"
#include "stickslip/scene/urdf_geometry.h"

namespace stickslip {
namespace {

const XmlElement& require_child(const XmlElement& element, const std::string& name, const std::string& what,
                                const std::string& fix) {
  if (const XmlElement* child = element.child(name)) return *child;
  throw ModelError("missing-element", element.where(), fmt::format("<{}> of {} has no <{}>", element.name, what, name),
                   "", fix);
}

double read_mass(const XmlElement& inertial, const std::string& link) {
  const XmlElement& element = require_child(inertial, "mass", link, "add <mass value=\"1.0\"/>");
  const double mass = element.required_number("value");
  if (mass < 0) {
    throw ModelError("negative-mass", element.where("value"), fmt::format("mass of {} is negative", link),
                     *element.text("value"), "write a mass in kg that is zero or more");
  }
  return mass;
}

Matrix3d read_inertia_matrix(const XmlElement& inertial, const std::string& link) {
  const XmlElement& i =
      require_child(inertial, "inertia", link, "add <inertia ixx=\"...\" iyy=\"...\" izz=\"...\" .../>");
  const double xx = i.required_number("ixx"), yy = i.required_number("iyy"), zz = i.required_number("izz");
  const double xy = i.number("ixy", 0), xz = i.number("ixz", 0), yz = i.number("iyz", 0);
  Matrix3d inertia;
  inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  return inertia;
}

MassProperties read_inertial(const XmlElement& inertial, const std::string& link, UrdfContext& context) {
  MassProperties at_center;
  at_center.mass = read_mass(inertial, link);
  at_center.inertia = read_inertia_matrix(inertial, link);
  repair_inertia(at_center, inertial.child("inertia")->where(), link, context);
  return expressed_in(read_origin(inertial), at_center);
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
  for (const XmlElement& child : element.children) {
    if (child.name == "inertial") {
      if (link.has_inertial) {
        throw ModelError("two-inertials", child.where(), what + " has two <inertial>", "", "keep one of them");
      }
      link.has_inertial = true;
      body.inertia = read_inertial(child, what, context);
    } else if (child.name == "visual" || child.name == "collision") {
      add_geometry(child, child.name == "collision", context, body);
    } else {
      context.ignore(element, child, understood);
    }
  }
  choose_visible(element, body);
  return link;
}

}  // namespace stickslip
