#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "stickslip/scene/reader.h"
#include "stickslip/shapes/nearby.h"

namespace stickslip {

// Where a YAML file is being read from: what its relative paths and its includes need to know.
struct YamlContext {
  std::string file;              // as opened; empty for text in memory
  std::filesystem::path folder;  // that relative paths start from
  LoadOptions options;
  std::vector<std::filesystem::path> open_files;  // canonical, outermost first: an include of one of them is a cycle
  std::shared_ptr<int> files_left;                // how many more files this scene may include, counted over all levels

  // The path to open for a name written in the file at `from`. ModelError "outside-folder" if a file may not name it.
  // Text in memory may name all, since it is the program's own, and files may name models, meshes and tables by their
  // whole path, as saved scenes do.
  std::string resolve(const std::string& name, const Location& from) const {
    const std::filesystem::path path(name);
    const std::string whole = (path.is_absolute() ? path : folder / path).lexically_normal().string();
    const bool is_chosen = path.is_absolute() && is_model_file(name);
    if (!file.empty() && !is_chosen) require_nearby(whole, folder.string(), options.package_path, from, name);
    return whole;
  }
};

}  // namespace stickslip
