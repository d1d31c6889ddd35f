#include "stickslip/scene/sdf_geometry.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/math/rotation.h"

namespace stickslip::sdf {
namespace {

// SDF has a default for every size, of which nobody knows; a shape without one is a mistake.
double size_in(const XmlElement& shape, const std::string& name, const std::string& owner) {
  const std::optional<double> size = number_in(shape, name);
  if (!size) {
    throw ModelError("missing-element", shape.where(), fmt::format("<{}> of {} has no <{}>", shape.name, owner, name),
                     "", fmt::format("add <{}>1.0</{}>", name, name));
  }
  if (*size >= 0) return *size;
  throw ModelError("bad-size", shape.child(name)->content_where(),
                   fmt::format("{} of a {} of {} is negative", name, shape.name, owner),
                   shape.child(name)->content.value, "write a length in metres greater than zero");
}

Vector3d sizes_in(const XmlElement& shape, const std::string& name, const std::string& owner) {
  const std::optional<Vector3d> size = vector_in(shape, name);
  if (!size) {
    throw ModelError("missing-element", shape.where(), fmt::format("<{}> of {} has no <{}>", shape.name, owner, name),
                     "", fmt::format("add <{}>1 1 1</{}>", name, name));
  }
  if ((size->array() >= 0).all()) return *size;
  throw ModelError("bad-size", shape.child(name)->content_where(),
                   fmt::format("{} of a {} of {} is negative", name, shape.name, owner),
                   shape.child(name)->content.value, "write three lengths in metres greater than zero");
}

bool warn_if_empty(const Vector3d& size, const XmlElement& shape, const std::string& owner, SdfContext& context) {
  if ((size.array() > 0).all()) return false;
  context.warn("zero-size", shape.where(), fmt::format("a {} of {} has no size and is left out", shape.name, owner));
  return true;
}

Pose plane_pose(const XmlElement& plane) {
  const Vector3d normal = vector_in(plane, "normal").value_or(Vector3d::UnitZ());
  if (normal.norm() > 0) return {rotation_from_z(normal.stableNormalized()), {0, 0, 0}};
  throw ModelError("zero-axis", plane.child("normal")->content_where(), "the normal of a plane has no direction",
                   plane.child("normal")->content.value, "write 0 0 1");
}

std::optional<Shape> read_mesh_shape(const XmlElement& element, bool collides, const std::string& owner,
                                     SdfContext& context) {
  const std::optional<std::string> uri = text_in(element, "uri");
  if (!uri) {
    throw ModelError("missing-element", element.where(), fmt::format("<mesh> of {} has no <uri>", owner), "",
                     "add <uri>model://robot/meshes/part.obj</uri>");
  }
  MeshReference reference{.uri = *uri,
                          .where = element.child("uri")->content_where(),
                          .scale = vector_in(element, "scale").value_or(Vector3d::Ones()),
                          .owner = owner,
                          .folder = context.folder,
                          .collides = collides};
  if (!element.file->empty()) reference.folder = std::filesystem::path(*element.file).parent_path();
  if ((reference.scale.array() == 0).any()) {
    throw ModelError("bad-size", element.child("scale")->content_where(),
                     fmt::format("scale of a mesh of {} is zero", owner), element.child("scale")->content.value,
                     "write 1 1 1 to keep the size");
  }
  if (const XmlElement* part = element.child("submesh")) {
    reference.part = text_in(*part, "name").value_or("");
    reference.is_centered = flag_in(*part, "center", false);
  }
  std::shared_ptr<const Mesh> mesh = find_mesh(reference, context);
  if (!mesh) return {};
  if (collides) return ConvexMesh{std::move(mesh)};
  return TriangleMesh{std::move(mesh)};
}

std::optional<Shape> read_primitive(const XmlElement& shape, const std::string& owner, SdfContext& context) {
  const auto whole = [&](Shape made, const Vector3d& size) -> std::optional<Shape> {
    if (warn_if_empty(size, shape, owner, context)) return {};
    return made;
  };
  if (shape.name == "box") {
    const Vector3d size = sizes_in(shape, "size", owner);
    return whole(Box{size}, size);
  }
  if (shape.name == "ellipsoid") {
    const Vector3d radii = sizes_in(shape, "radii", owner);
    return whole(Ellipsoid{radii}, radii);
  }
  const double radius = size_in(shape, "radius", owner);
  if (shape.name == "sphere") return whole(Sphere{radius}, {radius, radius, radius});
  const double length = size_in(shape, "length", owner);
  if (shape.name == "capsule") return whole(Capsule{radius, length}, {radius, radius, radius});
  return whole(Cylinder{radius, length}, {radius, radius, length});
}

bool is_one_of(const std::string& name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::optional<PlacedShape> read_shape(const XmlElement& geometry, bool collides, const std::string& owner,
                                      SdfContext& context) {
  static const std::vector<std::string> kShapes{"box",       "sphere", "cylinder", "capsule",
                                                "ellipsoid", "plane",  "mesh",     "empty"};
  for (const XmlElement& shape : geometry.children) {
    std::optional<Shape> found;
    if (shape.name == "empty") return {};
    if (shape.name == "plane") return PlacedShape{HalfSpace{}, plane_pose(shape)};
    if (shape.name == "mesh") {
      found = read_mesh_shape(shape, collides, owner, context);
    } else if (is_one_of(shape.name, {"box", "sphere", "cylinder", "capsule", "ellipsoid"})) {
      found = read_primitive(shape, owner, context);
    } else if (is_one_of(shape.name, {"heightmap", "image", "polyline", "cone"})) {
      context.warn("unsupported-shape", shape.where(),
                   fmt::format("a <{}> of {} is not supported and left out", shape.name, owner));
    } else {
      context.ignore(geometry, shape, kShapes);
      continue;
    }
    if (!found) return {};
    return PlacedShape{std::move(*found), {}};
  }
  return {};
}

}  // namespace stickslip::sdf
