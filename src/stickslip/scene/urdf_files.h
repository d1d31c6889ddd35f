#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

// The file that a mesh's URI means: package://, model://, file:// or a path relative to `folder`. Packages are searched
// in `package_path`, then in the folders above `folder`, then in ROS_PACKAGE_PATH, AMENT_PREFIX_PATH and Gazebo's
// paths; a folder is a package by its name or by the name in its package.xml. Nothing if no such file exists.
std::optional<std::string> resolve_uri(const std::string& uri, const std::filesystem::path& folder,
                                       const std::vector<std::string>& package_path);

// The same for a folder: model://name.
std::optional<std::string> resolve_folder(const std::string& uri, const std::filesystem::path& folder,
                                          const std::vector<std::string>& package_path);

// Whether a package or model is looked up by its name, and nothing above it: it may lie anywhere.
bool is_found_by_name(const std::string& uri);

// For a file that resolve_uri() does not find: one whose path ends as the URI does, below `folder` or one of the next
// folders above it. Robots are copied about without their packages.
std::optional<std::string> guess_file(const std::string& uri, const std::filesystem::path& folder);

}  // namespace stickslip
