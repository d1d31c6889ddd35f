#include "stickslip/scene/robot_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "stickslip/base/names.h"
#include "stickslip/scene/urdf_files.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/nearby.h"
#include "stickslip/shapes/submesh.h"

namespace stickslip {
namespace {

// The program's own text may name what it likes.
bool may_name(const MeshReference& reference, const std::string& file, const RobotContext& context) {
  const bool is_in_memory = reference.where.file.empty();
  // Packages are looked up by name and may lie anywhere; their links may not lead anywhere.
  const std::string folder =
      is_found_by_name(reference.uri) ? std::filesystem::path(file).parent_path().string() : reference.folder.string();
  return is_in_memory || is_nearby(file, folder, context.options.package_path, reference.where.file);
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

namespace {

// What is only seen blocks nobody: it has a code of its own, whatever is wrong with it.
void leave_out(const MeshReference& reference, const char* code, const std::string& why, RobotContext& context) {
  context.warn(reference.collides ? code : "missing-visual", reference.where,
               fmt::format("mesh '{}' of {} is left out: {}", reference.uri, reference.owner, why));
}

std::optional<std::string> find_file(const MeshReference& reference, RobotContext& context) {
  const std::string& uri = reference.uri;
  std::optional<std::string> file = resolve_uri(uri, reference.folder, context.options.package_path);
  if (!file && (file = guess_file(uri, reference.folder))) {
    context.warn("guessed-mesh", reference.where,
                 fmt::format("mesh '{}' of {} is not there; taken is '{}'", uri, reference.owner, *file));
  }
  return file;
}

void warn_of_up_axis(const MeshReference& reference, const Mesh& mesh, RobotContext& context) {
  if (mesh.up == 2 || std::exchange(context.has_warned_of_up_axis, true)) return;
  context.warn("up-axis", reference.where,
               fmt::format("mesh '{}' of {} says that {} is up; neither it nor others that do are turned "
                           "(--honour-up-axis turns them)",
                           reference.uri, reference.owner, mesh.up == 0 ? "x" : "y"));
}

// All of the file, or the part of it that is asked for.
std::shared_ptr<const Mesh> read_part(const std::string& file, const MeshReference& reference, RobotContext& context) {
  Mesh mesh = read_mesh(file, reference.where);
  if (context.options.honour_up_axis) mesh = turned_to_z_up(std::move(mesh));
  if (!reference.part.empty()) {
    std::optional<Mesh> part = find_submesh(mesh, reference.part);
    if (part) {
      mesh = std::move(*part);
    } else {
      std::vector<std::string> names;
      for (const Mesh::Named& named : mesh.named) names.push_back(named.name);
      context.warn("unknown-submesh", reference.where,
                   fmt::format("mesh '{}' of {} has no part '{}', so all of it is used; {}", reference.uri,
                               reference.owner, reference.part, did_you_mean(reference.part, names)));
    }
  }
  if (reference.is_centered) mesh = centered(std::move(mesh));
  return std::make_shared<const Mesh>(scaled(std::move(mesh), reference.scale));
}

}  // namespace

std::shared_ptr<const Mesh> find_mesh(const MeshReference& reference, RobotContext& context) {
  const std::string& uri = reference.uri;
  if (!mesh_format_of(uri)) {
    leave_out(reference, "unsupported-mesh", "only OBJ, STL, PLY, MSH, COLLADA (.dae) and glTF (.gltf, .glb) are read",
              context);
    return nullptr;
  }
  const std::optional<std::string> file = find_file(reference, context);
  if (!file) {
    leave_out(reference, "missing-mesh",
              "no such file; package:// is searched in package_path, the folders above the file, ROS_PACKAGE_PATH and "
              "AMENT_PREFIX_PATH",
              context);
    return nullptr;
  }
  if (!may_name(reference, *file, context)) {
    leave_out(reference, "outside-folder",
              "it is not in the model's folder or near it; allow its folder with --package-path", context);
    return nullptr;
  }
  const Vector3d& scale = reference.scale;
  auto& mesh = context.meshes[fmt::format("{} {} {} {} {} {}", *file, scale.x(), scale.y(), scale.z(),
                                          reference.is_centered, reference.part)];
  try {
    if (!mesh) mesh = read_part(*file, reference, context);
    warn_of_up_axis(reference, *mesh, context);
  } catch (const ModelError& e) {
    leave_out(reference, "bad-mesh", e.message(), context);
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
