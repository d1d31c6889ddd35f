#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

// Reads the file that an item of `include:` names, and adds it to the scene under its prefix, at its pose.
void include_file(const YamlValue& value, const YamlContext& context, Scene& scene);

// Throws, with the likely name, if the scene has no such material.
void require_material(const std::string& material, const Location& where, const Scene& scene);

// As read_yaml, with the memory of which files are being read.
Scene read_yaml_file(const std::string& file, const YamlContext& includer, const Location& from);

}  // namespace stickslip
