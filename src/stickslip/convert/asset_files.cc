#include "stickslip/convert/asset_files.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "stickslip/base/names.h"
#include "stickslip/convert/exact_text.h"

namespace stickslip::convert {
namespace {

std::string obj_text(const Mesh& mesh) {
  fmt::memory_buffer out;
  auto to = std::back_inserter(out);
  for (const Vector3d& v : mesh.vertices) fmt::format_to(to, "v {} {} {}\n", v.x(), v.y(), v.z());
  for (const std::array<int, 3>& t : mesh.triangles) fmt::format_to(to, "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return fmt::to_string(out);
}

bool same(const Mesh& a, const Mesh& b) {
  return &a == &b || (a.vertices.size() == b.vertices.size() && a.triangles == b.triangles && a.vertices == b.vertices);
}

// A name for any file system, in lower case where that is what tells two files apart.
std::string plain(const std::string& name) {
  std::string out;
  for (const char c : name) {
    out += std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' ? c : '_';
  }
  return out.empty() ? "mesh" : out;
}

}  // namespace

std::string AssetFiles::unique_name(const std::string& wanted) {
  std::string name = plain(wanted);
  for (int i = 2; !names_.insert(lower_case(name)).second; ++i) name = fmt::format("{}_{}", plain(wanted), i);
  return name;
}

AssetFiles::MeshName AssetFiles::add_mesh(const Mesh& mesh) {
  for (const Known& known : meshes_) {
    if (same(*known.mesh, mesh)) return known.name;
  }
  const std::string name = unique_name(std::filesystem::path(mesh.file).stem().string());
  const std::string file = fmt::format("{}/{}.obj", folder_, name);
  files_.push_back({file, obj_text(mesh)});
  meshes_.push_back({&mesh, {name, file, false}});
  return {name, file, true};
}

std::string AssetFiles::add_table(const std::string& name, const HeightGrid& grid) {
  std::string text;
  for (int r = 0; r < grid.rows; ++r) {
    for (int c = 0; c < grid.columns; ++c) {
      if (c > 0) text += ',';
      text += number_text(grid.heights[static_cast<size_t>(r) * grid.columns + c]);
    }
    text += "\n";
  }
  files_.push_back({fmt::format("{}/{}.csv", folder_, unique_name(name)), text});
  return files_.back().name;
}

}  // namespace stickslip::convert
