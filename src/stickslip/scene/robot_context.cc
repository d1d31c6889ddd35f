#include "stickslip/scene/robot_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/scene/urdf_files.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/nearby.h"

namespace stickslip {
namespace {

// The program's own text may name what it likes.
bool may_name(const MeshReference& reference, const std::string& file, const RobotContext& context) {
  const bool is_in_memory = reference.where.file.empty();
  return is_in_memory || is_found_by_name(reference.uri) ||
         is_nearby(file, reference.folder.string(), context.options.package_path);
}

}  // namespace

void RobotContext::warn(const std::string& code, const Location& where, const std::string& message) {
  warnings.push_back({code, where, message});
}

void RobotContext::ignore(const XmlElement& parent, const XmlElement& element,
                          const std::vector<std::string>& understood) {
  if (++ignored[parent.name + "/" + element.name] > 1) return;
  const std::string closest = closest_name(element.name, understood);
  if (!closest.empty() && closest != element.name) {
    warn("unknown-element", element.where(),
         fmt::format("<{}> in <{}> is not {} and is left out; did you mean <{}>?", element.name, parent.name, format,
                     closest));
  } else {
    warn("ignored-element", element.where(), fmt::format("<{}> in <{}> is left out", element.name, parent.name));
  }
}

void RobotContext::ignore_all_but(const XmlElement& element, const std::vector<std::string>& understood) {
  for (const XmlElement& child : element.children) {
    const bool known = std::find(understood.begin(), understood.end(), child.name) != understood.end();
    if (!known) ignore(element, child, understood);
  }
}

std::shared_ptr<const Mesh> find_mesh(const MeshReference& reference, RobotContext& context) {
  const auto& [uri, where, scale, owner, folder] = reference;
  if (!mesh_format_of(uri)) {
    context.warn("unsupported-mesh", where,
                 fmt::format("mesh '{}' of {} is left out: only OBJ, STL, PLY, MSH, COLLADA (.dae) and glTF (.gltf, "
                             ".glb) are read",
                             uri, owner));
    return nullptr;
  }
  std::optional<std::string> file = resolve_uri(uri, folder, context.options.package_path);
  if (!file && (file = guess_file(uri, folder))) {
    context.warn("guessed-mesh", where, fmt::format("mesh '{}' of {} is not there; taken is '{}'", uri, owner, *file));
  }
  if (!file) {
    context.warn("missing-mesh", where,
                 fmt::format("mesh '{}' of {} is left out: no such file; package:// is searched in package_path, "
                             "the folders above the file, ROS_PACKAGE_PATH and AMENT_PREFIX_PATH",
                             uri, owner));
    return nullptr;
  }
  if (!may_name(reference, *file, context)) {
    context.warn("outside-folder", where,
                 fmt::format("mesh '{}' of {} is left out: it is not in the model's folder or near it; allow its "
                             "folder with --package-path",
                             uri, owner));
    return nullptr;
  }
  auto& mesh = context.meshes[fmt::format("{} {} {} {}", *file, scale.x(), scale.y(), scale.z())];
  try {
    if (!mesh) mesh = read_scaled_mesh(*file, scale, where);
  } catch (const ModelError& e) {
    context.warn("bad-mesh", where, fmt::format("mesh '{}' of {} is left out: {}", uri, owner, e.message()));
  }
  return mesh;
}

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

}  // namespace stickslip
