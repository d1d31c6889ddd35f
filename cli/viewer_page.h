#pragma once

#include <filesystem>
#include <string>

namespace stickslip::cli {

// Where the viewer's page lies: beside the program, as installed and as built.
inline std::string viewer_page() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (program.parent_path().parent_path() / "share/stickslip/viewer.html").string();
}

}  // namespace stickslip::cli
