#include <algorithm>
#include <string>
#include <string_view>

#include "bytes.h"
#include "stickslip/model/model.h"
#include "stickslip/scene/reader.h"
#include "stickslip/shapes/mesh_file.h"
#include "targets.h"

namespace stickslip::fuzzing {
namespace {

const std::string kNoFolder = "/nonexistent";  // files that the text names are not there

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

void check_error(const ModelError& error, std::string_view text) {
  require(!error.code().empty() && !error.message().empty(), "an error has a code and a message");
  const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
  require(error.where().line >= 0 && error.where().line <= lines, "an error's line is in the file");
}

void check_model(const Model& model) {
  require(model.q0.allFinite() && model.v0.allFinite(), "the start is finite");
  for (const BodyInfo& body : model.bodies) {
    const MassProperties& matter = body.inertia;
    require(std::isfinite(matter.mass) && matter.mass >= 0, "masses are masses");
    require(matter.center.allFinite() && matter.inertia.allFinite(), "inertias are finite");
    require(body.X_LB.position.allFinite() && body.X_LB.rotation.allFinite(), "places are finite");
  }
}

void check_mesh(const Mesh& mesh) {
  require(!mesh.vertices.empty(), "a mesh has vertices");
  const int count = static_cast<int>(mesh.vertices.size());
  for (const Vector3d& vertex : mesh.vertices) require(vertex.allFinite(), "vertices are finite");
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    for (const int corner : triangle) require(corner >= 0 && corner < count, "corners are vertices");
  }
}

void read(SceneFormat format, std::string_view text) {
  try {
    check_model(compile(read_scene_string(std::string(text), format, kNoFolder)));
  } catch (const ModelError& error) {
    check_error(error, text);
  }
}

void read(MeshFormat format, std::string_view text) {
  try {
    check_mesh(parse_mesh(text, format, kNoFolder + "/mesh"));
  } catch (const ModelError& error) {
    check_error(error, text);
  }
}

}  // namespace

void read_yaml(const std::uint8_t* data, std::size_t size) { read(SceneFormat::kYaml, text_of(data, size)); }
void read_mjcf(const std::uint8_t* data, std::size_t size) { read(SceneFormat::kMjcf, text_of(data, size)); }
void read_urdf(const std::uint8_t* data, std::size_t size) { read(SceneFormat::kUrdf, text_of(data, size)); }
void read_sdf(const std::uint8_t* data, std::size_t size) { read(SceneFormat::kSdf, text_of(data, size)); }
void read_obj(const std::uint8_t* data, std::size_t size) { read(MeshFormat::kObj, text_of(data, size)); }
void read_stl(const std::uint8_t* data, std::size_t size) { read(MeshFormat::kStl, text_of(data, size)); }
void read_ply(const std::uint8_t* data, std::size_t size) { read(MeshFormat::kPly, text_of(data, size)); }
void read_dae(const std::uint8_t* data, std::size_t size) { read(MeshFormat::kDae, text_of(data, size)); }
void read_gltf(const std::uint8_t* data, std::size_t size) { read(MeshFormat::kGltf, text_of(data, size)); }

}  // namespace stickslip::fuzzing
