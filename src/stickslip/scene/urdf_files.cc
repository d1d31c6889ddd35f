#include "stickslip/scene/urdf_files.h"

#include <algorithm>
#include <cstdlib>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include "stickslip/base/names.h"
#include "stickslip/shapes/mesh_file.h"

namespace stickslip {
namespace {

namespace fs = std::filesystem;

constexpr int kGuessedFolders = 4;     // the URDF's own and three above: urdf/, robot/, robot_description/, robots/
constexpr int kMostNeighbours = 1000;  // folders looked into for a package.xml

using Exists = bool (*)(const fs::path&);

bool is_file(const fs::path& path) {
  std::error_code ignored;  // a folder we may not read holds no mesh for us
  return fs::is_regular_file(path, ignored);
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<std::string> split_path_list(const char* variable) {
  std::vector<std::string> folders;
  const char* list = std::getenv(variable);
  std::istringstream in(list ? list : "");
  for (std::string folder; std::getline(in, folder, ':');) {
    if (!folder.empty()) folders.push_back(folder);
  }
  return folders;
}

// Whether its package.xml says that this folder is the package, whatever the folder is called.
bool is_package(const fs::path& folder, const std::string& name) {
  if (!is_file(folder / "package.xml")) return false;
  pugi::xml_document manifest;
  if (!manifest.load_file((folder / "package.xml").c_str())) return false;
  return manifest.child("package").child("name").text().as_string() == name;
}

// `folder` may hold the package, or be it.
std::optional<fs::path> package_in(fs::path folder, const std::string& package, const fs::path& rest, Exists exists) {
  if (!folder.has_filename()) folder = folder.parent_path();  // "robots/" ends in an empty name
  if (exists(folder / package / rest)) return folder / package;
  const bool here = exists(folder / rest) && (folder.filename() == package || is_package(folder, package));
  if (here) return folder;
  return {};
}

// A package in a folder of another name beside one of the folders above.
std::optional<std::string> find_beside(const fs::path& folder, const std::string& package, const fs::path& rest,
                                       Exists exists) {
  std::error_code ignored;
  int left = kMostNeighbours;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (--left < 0) break;
    if (exists(entry.path() / rest) && is_package(entry.path(), package)) found.push_back(entry.path() / rest);
  }
  if (found.empty()) return {};
  return std::min_element(found.begin(), found.end())->lexically_normal().string();
}

// Near the root of the file system any name would be a package's, as "etc" of "/etc/passwd": there a package must say
// that it is one, or be asked for a mesh.
bool may_be_package(const fs::path& folder, const fs::path& rest) {
  constexpr int kFewestNames = 3;  // of "/home/ada/robots"
  const fs::path names = folder.relative_path();
  if (std::distance(names.begin(), names.end()) >= kFewestNames) return true;
  return is_file(folder / "package.xml") || is_file(folder / "model.config") || mesh_format_of(rest.string());
}

std::vector<fs::path> folders_above(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code ignored;  // without a working folder a relative path stays as it is
  fs::path ancestor = fs::absolute(folder.empty() ? "." : folder, ignored).lexically_normal();
  if (!ancestor.has_filename()) ancestor = ancestor.parent_path();
  for (;; ancestor = ancestor.parent_path()) {
    out.push_back(ancestor);
    if (ancestor == ancestor.parent_path()) return out;
  }
}

std::optional<std::string> find_in_package(const std::string& package, const fs::path& rest, const fs::path& folder,
                                           const std::vector<std::string>& package_path, Exists exists) {
  std::vector<fs::path> candidates(package_path.begin(), package_path.end());
  const auto allowed = static_cast<std::ptrdiff_t>(candidates.size());
  const std::vector<fs::path> above = folders_above(folder);
  candidates.insert(candidates.end(), above.begin(), above.end());
  const auto guessed = static_cast<std::ptrdiff_t>(candidates.size());
  for (const char* variable :
       {"ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH", "GAZEBO_MODEL_PATH", "SDF_PATH"}) {
    for (const std::string& path : split_path_list(variable)) candidates.emplace_back(path);
  }
  for (const std::string& path : split_path_list("AMENT_PREFIX_PATH")) candidates.push_back(fs::path(path) / "share");
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(candidates.size()); ++i) {
    const auto found = package_in(candidates[i], package, rest, exists);
    if (!found || (i >= allowed && i < guessed && !may_be_package(*found, rest))) continue;
    return (*found / rest).lexically_normal().string();
  }
  for (std::size_t i = 0; i < above.size() && i < kGuessedFolders; ++i) {
    if (auto found = find_beside(above[i], package, rest, exists)) return found;
  }
  return {};
}

// "robot/meshes/arm.stl" of "package://robot/meshes/arm.stl", "package:///robot/meshes/arm.stl" and "model://..."
std::optional<std::string> packaged_path(const std::string& uri) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::size_t first = uri.find_first_not_of('/', scheme.size());
    return first == std::string::npos ? std::string() : uri.substr(first);
  }
  return {};
}

fs::path plain_path(const std::string& uri) {
  constexpr std::string_view kFile = "file://";
  return uri.starts_with(kFile) ? uri.substr(kFile.size()) : uri;
}

std::optional<std::string> resolve(const std::string& written, const fs::path& folder,
                                   const std::vector<std::string>& package_path, Exists exists) {
  const std::string uri = with_slashes(written);
  if (const auto path = packaged_path(uri)) {
    const std::size_t slash = path->find('/');
    // A leading slash would make the rest absolute and drop the folder before it.
    const std::size_t rest = slash == std::string::npos ? slash : path->find_first_not_of('/', slash);
    if (path->empty() || (rest == std::string::npos && exists == is_file)) return {};
    const std::string package = path->substr(0, slash);
    if (package == "." || package == "..") return {};  // a path, where a name belongs
    return find_in_package(package, rest == std::string::npos ? "" : path->substr(rest), folder, package_path, exists);
  }
  const fs::path path = plain_path(uri);
  const fs::path whole = path.is_absolute() ? path : folder / path;
  if (exists(whole)) return whole.lexically_normal().string();
  return {};
}

}  // namespace

std::optional<std::string> resolve_uri(const std::string& uri, const fs::path& folder,
                                       const std::vector<std::string>& package_path) {
  return resolve(uri, folder, package_path, is_file);
}

std::optional<std::string> resolve_folder(const std::string& uri, const fs::path& folder,
                                          const std::vector<std::string>& package_path) {
  return resolve(uri, folder, package_path, is_folder);
}

bool is_found_by_name(const std::string& uri) {
  return (uri.starts_with("package://") || uri.starts_with("model://")) && uri.find("..") == std::string::npos;
}

std::optional<std::string> guess_file(const std::string& written, const fs::path& folder) {
  const std::string uri = with_slashes(written);
  fs::path path = packaged_path(uri).value_or(plain_path(uri).relative_path().string());
  path = path.lexically_normal();
  const std::vector<fs::path> above = folders_above(folder);
  while (path.has_filename()) {
    const bool climbs = *path.begin() == "..";
    for (std::size_t i = 0; !climbs && i < above.size() && i < kGuessedFolders; ++i) {
      if (is_file(above[i] / path)) return (above[i] / path).lexically_normal().string();
    }
    fs::path shorter;
    for (auto part = std::next(path.begin()); part != path.end(); ++part) shorter /= *part;
    path = shorter;
  }
  return {};
}

}  // namespace stickslip
