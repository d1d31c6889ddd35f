#include "stickslip/scene/urdf_geometry.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

double length_of(const XmlElement& element, const std::string& attribute, const std::string& link) {
  const double x = element.required_number(attribute);
  if (x >= 0) return x;
  throw ModelError("bad-size", element.where(attribute),
                   fmt::format("{} of a {} of link '{}' is negative", attribute, element.name, link),
                   *element.text(attribute), "write a length in metres greater than zero");
}

Vector3d sides_of(const XmlElement& element, const std::string& link) {
  element.required_text("size");
  const Vector3d size = *element.vector3("size");
  if ((size.array() >= 0).all()) return size;
  throw ModelError("bad-size", element.where("size"), fmt::format("a box of link '{}' has a negative side", link),
                   *element.text("size"), "write three lengths in metres greater than zero");
}

// The shape, or nothing with a warning if one of its lengths is zero: someone meant to come back to it.
std::optional<Shape> unless_empty(const Shape& shape, const Vector3d& lengths, const XmlElement& element,
                                  const std::string& link, UrdfContext& context) {
  if ((lengths.array() > 0).all()) return shape;
  context.warn("zero-size", element.where(),
               fmt::format("a {} of link '{}' has no size and is left out", element.name, link));
  return {};
}

std::optional<Shape> read_primitive(const XmlElement& element, const std::string& link, UrdfContext& context) {
  if (element.name == "box") {
    const Vector3d sides = sides_of(element, link);
    return unless_empty(Box{sides}, sides, element, link, context);
  }
  const double radius = length_of(element, "radius", link);
  if (element.name == "sphere") return unless_empty(Sphere{radius}, {radius, 1, 1}, element, link, context);
  const double length = length_of(element, "length", link);
  if (element.name == "capsule") return unless_empty(Capsule{radius, length}, {radius, 1, 1}, element, link, context);
  return unless_empty(Cylinder{radius, length}, {radius, length, 1}, element, link, context);
}

std::shared_ptr<const Mesh> read_mesh_shape(const XmlElement& element, const std::string& link, bool collides,
                                            UrdfContext& context) {
  const std::string uri = element.required_text("filename");
  const Vector3d scale = element.vector3("scale", Vector3d::Ones());
  if ((scale.array() == 0).any()) {
    context.warn("zero-size", element.where("scale"),
                 fmt::format("a mesh of link '{}' has a scale of zero and is left out", link));
    return nullptr;
  }
  return find_mesh({.uri = uri,
                    .where = element.where("filename"),
                    .scale = scale,
                    .owner = fmt::format("link '{}'", link),
                    .folder = context.folder,
                    .collides = collides},
                   context);
}

std::optional<Shape> read_shape(const XmlElement& element, const std::string& link, bool collides,
                                UrdfContext& context) {
  const std::vector<std::string> shapes{"box", "cylinder", "sphere", "capsule", "plane", "mesh"};
  if (element.name == "plane") return HalfSpace{};
  const bool known = std::find(shapes.begin(), shapes.end(), element.name) != shapes.end();
  if (known && element.name != "mesh") return read_primitive(element, link, context);
  if (element.name != "mesh" && !closest_name(element.name, shapes).empty()) {
    throw ModelError("unknown-shape", element.where(), fmt::format("<{}> is not a shape", element.name), element.name,
                     did_you_mean(element.name, shapes));
  }
  if (element.name != "mesh") {  // another engine's, such as Bullet's <cdf>
    context.warn("unknown-shape", element.where(),
                 fmt::format("<{}> of link '{}' is not a shape and is left out; {}", element.name, link,
                             did_you_mean(element.name, shapes)));
    return {};
  }
  std::shared_ptr<const Mesh> mesh = read_mesh_shape(element, link, collides, context);
  if (!mesh) return {};
  if (collides) return ConvexMesh{std::move(mesh)};
  return TriangleMesh{std::move(mesh)};
}

}  // namespace

std::optional<std::array<double, 4>> read_color(const XmlElement& material, UrdfContext& context) {
  const std::string name = material.text("name", "");
  const XmlElement* color = material.child("color");
  if (!color) {
    const auto known = context.colors.find(name);
    if (known != context.colors.end()) return known->second;
    if (!material.child("texture") && !name.empty() && context.colorless.insert(name).second) {
      context.warn("unknown-material", material.where(), fmt::format("material '{}' has no colour; drawn grey", name));
    }
    return {};
  }
  color->required_text("rgba");
  const std::vector<double> rgba = *color->numbers("rgba", 4, 4);
  std::array<double, 4> clamped;
  std::transform(rgba.begin(), rgba.end(), clamped.begin(), [](double x) { return std::clamp(x, 0.0, 1.0); });
  if (!name.empty()) context.colors.emplace(name, clamped);
  return clamped;
}

std::optional<Geometry> read_urdf_geometry(const XmlElement& element, const std::string& link, bool collides,
                                           UrdfContext& context) {
  const XmlElement* holder = element.child("geometry");
  if (!holder || holder->children.empty()) {
    context.warn("missing-geometry", element.where(),
                 fmt::format("<{}> of link '{}' has no <geometry> with a shape and is left out", element.name, link));
    return {};
  }
  Geometry geometry;
  geometry.where = element.where();
  geometry.name = element.text("name", "");
  geometry.pose = read_origin(element);
  geometry.collides = collides;
  if (const XmlElement* material = element.child("material")) {
    geometry.color = read_color(*material, context).value_or(geometry.color);
  }
  std::optional<Shape> shape = read_shape(holder->children.front(), link, collides, context);
  if (!shape) return {};
  geometry.shape = std::move(*shape);
  if (std::holds_alternative<HalfSpace>(geometry.shape)) {
    const XmlElement& plane = holder->children.front();
    const Vector3d normal = plane.vector3("normal", Vector3d::UnitZ());
    if (normal.isZero(0)) {
      throw ModelError("zero-axis", plane.where("normal"),
                       fmt::format("the normal of a plane of link '{}' has no direction", link), *plane.text("normal"),
                       "write 0 0 1");
    }
    geometry.pose.rotation *= rotation_from_z(normal.stableNormalized());
  }
  return geometry;
}

}  // namespace stickslip
