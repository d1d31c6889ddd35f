#include "stickslip/scene/urdf_geometry.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/scene/urdf_files.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/nearby.h"

namespace stickslip {
namespace {

double positive(const XmlElement& element, const std::string& attribute, const std::string& link) {
  const double x = element.required_number(attribute);
  if (x > 0) return x;
  throw ModelError("bad-size", element.where(attribute),
                   fmt::format("{} of a {} of link '{}' is not positive", attribute, element.name, link),
                   *element.text(attribute), "write a length in metres greater than zero");
}

Box read_box(const XmlElement& element, const std::string& link) {
  element.required_text("size");
  const Vector3d size = *element.vector3("size");
  if ((size.array() > 0).all()) return {.size = size};
  throw ModelError("bad-size", element.where("size"),
                   fmt::format("a box of link '{}' has a side that is not positive", link), *element.text("size"),
                   "write three lengths in metres greater than zero");
}

std::shared_ptr<const Mesh> find_mesh(const XmlElement& element, const std::string& link, UrdfContext& context) {
  const std::string uri = element.required_text("filename");
  const Location where = element.where("filename");
  const Vector3d scale = element.vector3("scale", Vector3d::Ones());
  if ((scale.array() == 0).any()) {
    throw ModelError("bad-size", element.where("scale"), fmt::format("scale of a mesh of link '{}' is zero", link),
                     *element.text("scale"), "write 1 1 1 to keep the size");
  }
  if (!mesh_format_of(uri)) {
    context.warn("unsupported-mesh", where,
                 fmt::format("mesh '{}' of link '{}' is left out: only OBJ, STL, MSH, COLLADA (.dae) and glTF (.gltf, "
                             ".glb) are read",
                             uri, link));
    return nullptr;
  }
  const std::optional<std::string> file = resolve_uri(uri, context.folder, context.options.package_path);
  if (!file) {
    context.warn(
        "missing-mesh", where,
        fmt::format("mesh '{}' of link '{}' is left out: no such file; package:// is searched in package_path, "
                    "the folders above the file, ROS_PACKAGE_PATH and AMENT_PREFIX_PATH",
                    uri, link));
    return nullptr;
  }
  const bool climbs = uri.find("..") != std::string::npos;
  const bool is_found_by_name = (uri.starts_with("package://") || uri.starts_with("model://")) && !climbs;
  if (!element.is_in_memory() && !is_found_by_name &&
      !is_nearby(*file, context.folder.string(), context.options.package_path)) {
    context.warn(
        "outside-folder", where,
        fmt::format("mesh '{}' of link '{}' is left out: it is not in the model's folder or near it; allow its "
                    "folder with --package-path",
                    uri, link));
    return nullptr;
  }
  auto& mesh = context.meshes[fmt::format("{} {} {} {}", *file, scale.x(), scale.y(), scale.z())];
  try {
    if (!mesh) mesh = read_scaled_mesh(*file, scale, where);
  } catch (const ModelError& e) {
    context.warn("bad-mesh", where, fmt::format("mesh '{}' of link '{}' is left out: {}", uri, link, e.message()));
  }
  return mesh;
}

std::optional<Shape> read_shape(const XmlElement& element, const std::string& link, bool collides,
                                UrdfContext& context) {
  const std::vector<std::string> shapes{"box", "cylinder", "sphere", "capsule", "mesh"};
  if (element.name == "box") return read_box(element, link);
  if (element.name == "sphere") return Sphere{positive(element, "radius", link)};
  if (element.name == "cylinder") return Cylinder{positive(element, "radius", link), positive(element, "length", link)};
  if (element.name == "capsule") return Capsule{positive(element, "radius", link), positive(element, "length", link)};
  if (element.name != "mesh") {
    throw ModelError("unknown-shape", element.where(), fmt::format("<{}> is not a shape", element.name), element.name,
                     did_you_mean(element.name, shapes));
  }
  std::shared_ptr<const Mesh> mesh = find_mesh(element, link, context);
  if (!mesh) return {};
  if (collides) return ConvexMesh{std::move(mesh)};
  return TriangleMesh{std::move(mesh)};
}

}  // namespace

Mesh scaled(Mesh mesh, const Vector3d& scale) {
  for (Vector3d& vertex : mesh.vertices) vertex = vertex.cwiseProduct(scale);
  if (scale.prod() < 0) {
    for (std::array<int, 3>& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  return mesh;
}

std::shared_ptr<const Mesh> read_scaled_mesh(const std::string& file, const Vector3d& scale, const Location& from) {
  return std::make_shared<const Mesh>(scaled(read_mesh(file, from), scale));
}

std::optional<std::array<double, 4>> read_color(const XmlElement& material, UrdfContext& context) {
  const std::string name = material.text("name", "");
  const XmlElement* color = material.child("color");
  if (!color) {
    const auto known = context.colors.find(name);
    if (known != context.colors.end()) return known->second;
    if (!material.child("texture") && !name.empty()) {
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
    throw ModelError("missing-element", element.where(),
                     fmt::format("<{}> of link '{}' has no <geometry> with a shape", element.name, link), "",
                     "add <geometry><box size=\"1 1 1\"/></geometry> or remove the element");
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
  return geometry;
}

}  // namespace stickslip
