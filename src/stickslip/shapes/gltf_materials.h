#pragma once

#include <map>
#include <optional>

#include "stickslip/shapes/gltf_file.h"
#include "stickslip/shapes/mesh_assembly.h"
#include "stickslip/shapes/texture_color.h"

namespace stickslip {

// Base colours of the materials of a glTF file, each found once.
class GltfMaterials {
 public:
  explicit GltfMaterials(GltfFile& file) : file_(file), textures_(file.file()) {}

  Color color_of(std::size_t material);

 private:
  using Mean = std::optional<std::array<double, 3>>;
  Color read(const GltfFile::Json& material);
  Mean texture_mean(std::size_t texture);
  Mean image_mean(std::size_t image);

  GltfFile& file_;
  TextureColors textures_;
  std::map<std::size_t, Color> known_;
  std::map<std::size_t, Mean> images_;
};

}  // namespace stickslip
