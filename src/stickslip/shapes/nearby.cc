#include "stickslip/shapes/nearby.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

#include "stickslip/base/names.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

constexpr int kLevelsUp = 4;     // that public robots climb: "../../../../meshes"
constexpr int kFewestNames = 2;  // of a folder above: "/home" and "/etc" are everybody's

// The folder of a file that is named without one is the working folder.
fs::path plain(const std::string& path) {
  std::error_code ignored;  // without a working folder a relative path stays as it is
  const fs::path whole = fs::absolute(path.empty() ? "." : path, ignored).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

bool is_below(const fs::path& file, const fs::path& folder) {
  if (folder.empty()) return false;
  const auto [in_folder, in_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return in_folder == folder.end();
}

// Of "/home/ada": two.
int names_in(const fs::path& folder) {
  const fs::path names = folder.relative_path();
  return static_cast<int>(std::distance(names.begin(), names.end()));
}

// Below the folder, or one of the next above it.
bool is_around(const fs::path& file, fs::path folder) {
  if (is_below(file, folder)) return true;
  for (int i = 0; i < kLevelsUp; ++i) {
    folder = folder.parent_path();
    if (names_in(folder) < kFewestNames) return false;
    if (is_below(file, folder)) return true;
  }
  return false;
}

// Without links on the way.
fs::path led_to(const fs::path& path) {
  std::error_code problem;  // of what cannot be looked up nothing can be read either
  const fs::path out = fs::weakly_canonical(path, problem);
  return problem ? path : out;
}

bool has_extension(const fs::path& file, std::initializer_list<std::string_view> extensions) {
  return std::ranges::find(extensions, lower_extension(file.string())) != extensions.end();
}

bool is_picture(const fs::path& file) { return has_extension(file, {".png", ".jpg", ".jpeg", ".bmp", ".tga", ".gif"}); }

}  // namespace

bool is_nearby(const std::string& file, const std::string& folder, const std::vector<std::string>& allowed,
               const std::string& namer) {
  const fs::path path = plain(file), around = plain(folder);
  const auto is_allowed = [&](const fs::path& place, auto seen) {
    return std::ranges::any_of(allowed, [&](const std::string& other) { return is_below(place, seen(plain(other))); });
  };
  if (!is_around(path, around) && !is_allowed(path, [](const fs::path& other) { return other; })) return false;
  const fs::path target = led_to(path);
  if (target == path || mesh_format_of(target.string()) || is_picture(target)) return true;
  if (is_around(target, led_to(around)) || is_allowed(target, led_to)) return true;
  return !namer.empty() && is_around(target, led_to(plain(namer)).parent_path());
}

bool is_model_file(const std::string& file) {
  const auto is_model = [](const fs::path& path) {
    return has_extension(path, {".yaml", ".yml", ".urdf", ".xml", ".mjcf", ".sdf", ".xacro", ".csv", ".obj", ".stl",
                                ".msh", ".dae", ".ply", ".gltf", ".glb"});
  };
  return is_model(file) && is_model(led_to(plain(file)));
}

void require_nearby(const std::string& file, const std::string& folder, const std::vector<std::string>& allowed,
                    const Location& from, const std::string& text) {
  if (is_nearby(file, folder, allowed, from.file)) return;
  const bool is_link = is_around(plain(file), plain(folder));
  throw ModelError(
      "outside-folder", from,
      fmt::format("'{}' {} the model's folder or near it", file, is_link ? "is a link to what is not in" : "is not in"),
      text,
      is_link
          ? "put a copy there, or allow the folder that it leads to with --package-path (in Python package_path=[...])"
          : "move it there, or allow its folder with --package-path (in Python package_path=[...])");
}

}  // namespace stickslip
