#include "stickslip/shapes/nearby.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "stickslip/base/names.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

constexpr int kLevelsUp = 4;     // that public robots climb: "../../../../meshes"
constexpr int kFewestNames = 2;  // of a folder above: "/home" and "/etc" are everybody's

fs::path plain(const std::string& path) {
  std::error_code ignored;  // without a working folder a relative path stays as it is
  const fs::path whole = fs::absolute(path, ignored).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

bool is_below(const fs::path& file, const fs::path& folder) {
  const auto [in_folder, in_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return in_folder == folder.end();
}

// Of "/home/ada": two.
int names_in(const fs::path& folder) {
  const fs::path names = folder.relative_path();
  return static_cast<int>(std::distance(names.begin(), names.end()));
}

}  // namespace

bool is_nearby(const std::string& file, const std::string& folder, const std::vector<std::string>& allowed) {
  const fs::path path = plain(file);
  fs::path around = plain(folder);
  if (is_below(path, around)) return true;
  for (int i = 0; i < kLevelsUp; ++i) {
    around = around.parent_path();
    if (names_in(around) < kFewestNames) break;
    if (is_below(path, around)) return true;
  }
  return std::any_of(allowed.begin(), allowed.end(),
                     [&](const std::string& other) { return is_below(path, plain(other)); });
}

bool is_model_file(const std::string& file) {
  constexpr std::string_view kExtensions[] = {".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".sdf",  ".xacro", ".csv",
                                              ".obj",  ".stl", ".msh",  ".dae", ".ply",  ".gltf", ".glb"};
  return std::ranges::find(kExtensions, lower_extension(file)) != std::end(kExtensions);
}

void require_nearby(const std::string& file, const std::string& folder, const std::vector<std::string>& allowed,
                    const Location& from, const std::string& text) {
  if (is_nearby(file, folder, allowed)) return;
  throw ModelError("outside-folder", from, fmt::format("'{}' is not in the model's folder or near it", file), text,
                   "move it there, or allow its folder with --package-path (in Python package_path=[...])");
}

}  // namespace stickslip
