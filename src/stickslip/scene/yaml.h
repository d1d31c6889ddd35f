#pragma once

#include <string>

#include "stickslip/scene/reader.h"

// The scene format of docs/formats/scene_yaml.md.
namespace stickslip {

Scene read_yaml(const std::string& file, const LoadOptions& options = {});
Scene read_yaml_string(const std::string& text, const std::string& folder, const LoadOptions& options = {});

}  // namespace stickslip
