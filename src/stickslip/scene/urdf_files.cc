#include "stickslip/scene/urdf_files.h"

#include <cstdlib>
#include <sstream>
#include <string_view>

namespace stickslip {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code ignored;  // a folder we may not read holds no mesh for us
  return fs::is_regular_file(path, ignored);
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

// `folder` may hold the package, or be it.
std::optional<std::string> find_in(fs::path folder, const std::string& package, const fs::path& rest) {
  if (!folder.has_filename()) folder = folder.parent_path();  // "robots/" ends in an empty name
  if (is_file(folder / package / rest)) return (folder / package / rest).lexically_normal().string();
  if (folder.filename() == package && is_file(folder / rest)) return (folder / rest).lexically_normal().string();
  return {};
}

std::optional<std::string> find_in_package(const std::string& package, const fs::path& rest, const fs::path& folder,
                                           const std::vector<std::string>& package_path) {
  std::vector<fs::path> candidates(package_path.begin(), package_path.end());
  fs::path ancestor = fs::absolute(folder).lexically_normal();
  for (;; ancestor = ancestor.parent_path()) {
    candidates.push_back(ancestor);
    if (ancestor == ancestor.parent_path()) break;
  }
  for (const std::string& path : split_path_list("ROS_PACKAGE_PATH")) candidates.emplace_back(path);
  for (const std::string& path : split_path_list("AMENT_PREFIX_PATH")) candidates.push_back(fs::path(path) / "share");
  for (const fs::path& candidate : candidates) {
    if (auto found = find_in(candidate, package, rest)) return found;
  }
  return {};
}

}  // namespace

std::optional<std::string> resolve_uri(const std::string& uri, const fs::path& folder,
                                       const std::vector<std::string>& package_path) {
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (!uri.starts_with(scheme)) continue;
    const std::string path = uri.substr(scheme.size());
    const size_t slash = path.find('/');
    if (slash == std::string::npos) return {};
    // A leading slash would make the rest absolute and drop the folder before it.
    const size_t rest = path.find_first_not_of('/', slash);
    if (rest == std::string::npos) return {};
    return find_in_package(path.substr(0, slash), path.substr(rest), folder, package_path);
  }
  constexpr std::string_view kFile = "file://";
  const fs::path path = uri.starts_with(kFile) ? uri.substr(kFile.size()) : uri;
  const fs::path whole = path.is_absolute() ? path : folder / path;
  if (is_file(whole)) return whole.lexically_normal().string();
  return {};
}

}  // namespace stickslip
