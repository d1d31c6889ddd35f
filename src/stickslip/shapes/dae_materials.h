#pragma once

#include <map>
#include <optional>
#include <string>

#include "stickslip/shapes/dae_file.h"
#include "stickslip/shapes/mesh_assembly.h"
#include "stickslip/shapes/texture_color.h"

namespace stickslip {

// Diffuse colours of the materials of a COLLADA file, each found once.
class DaeMaterials {
 public:
  explicit DaeMaterials(const DaeFile& file) : file_(file), textures_(file.file()) {}

  // Of the material with this "#id"; nothing if there is none, or it has no colour.
  std::optional<Color> color_of(const std::string& url);

 private:
  std::optional<Color> read_effect(pugi::xml_node effect);
  std::optional<Color> read_texture(pugi::xml_node profile, const std::string& name);
  std::optional<Color> read_color(pugi::xml_node color) const;
  double read_opacity(pugi::xml_node shader) const;

  const DaeFile& file_;
  TextureColors textures_;
  std::map<std::string, std::optional<Color>> known_;
};

}  // namespace stickslip
