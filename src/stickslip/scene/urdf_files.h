#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stickslip {

// The file that a mesh's URI means: package://, model://, file:// or a path relative to `folder`. Packages are searched
// in `package_path`, then in the folders above `folder`, then in ROS_PACKAGE_PATH and AMENT_PREFIX_PATH. Nothing if no
// such file exists.
std::optional<std::string> resolve_uri(const std::string& uri, const std::filesystem::path& folder,
                                       const std::vector<std::string>& package_path);

}  // namespace stickslip
