#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "stickslip/scene/reader.h"

namespace stickslip {

// Where a YAML file is being read from: what its relative paths and its includes need to know.
struct YamlContext {
  std::string file;              // as opened; empty for text in memory
  std::filesystem::path folder;  // that relative paths start from
  LoadOptions options;
  std::vector<std::filesystem::path> open_files;  // canonical, outermost first: an include of one of them is a cycle
  std::shared_ptr<int> files_left;                // how many more files this scene may include, counted over all levels

  // The path to open for a name written in the file.
  std::string resolve(const std::string& name) const {
    const std::filesystem::path path(name);
    return (path.is_absolute() ? path : folder / path).lexically_normal().string();
  }
};

}  // namespace stickslip
