#include "stickslip/shapes/gltf_materials.h"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// glTF's factors are proportional to light, its pictures and our colours sRGB (IEC 61966-2-1).
double to_linear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }
double to_srgb(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace

Color GltfMaterials::color_of(std::size_t material) {
  const auto [entry, is_new] = known_.try_emplace(material);
  if (is_new) entry->second = read(file_.element("materials", material));
  return entry->second;
}

Color GltfMaterials::read(const GltfFile::Json& material) {
  const GltfFile::Json& surface = GltfFile::member(material, "pbrMetallicRoughness");
  const std::vector<double> factor = file_.numbers(surface, "baseColorFactor", {1, 1, 1, 1});
  const GltfFile::Json& texture = GltfFile::member(surface, "baseColorTexture");
  const std::optional<std::size_t> texture_index = file_.index(texture, "index");
  const Mean mean = texture_index ? texture_mean(*texture_index) : std::nullopt;
  Color out{0, 0, 0, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    const double linear = std::clamp(factor[k], 0.0, 1.0) * (mean ? to_linear((*mean)[k]) : 1);
    out[k] = std::clamp(to_srgb(linear), 0.0, 1.0);
  }
  if (file_.text(material, "alphaMode") == "BLEND") out[3] = std::clamp(factor[3], 0.0, 1.0);
  return out;
}

GltfMaterials::Mean GltfMaterials::texture_mean(std::size_t texture) {
  const std::optional<std::size_t> image = file_.index(file_.element("textures", texture), "source");
  if (!image) return {};
  const auto [entry, is_new] = images_.try_emplace(*image);
  if (is_new) entry->second = image_mean(*image);
  return entry->second;
}

GltfMaterials::Mean GltfMaterials::image_mean(std::size_t number) {
  const GltfFile::Json& image = file_.element("images", number);
  if (const std::optional<std::size_t> view = file_.index(image, "bufferView")) return texture_color(file_.view(*view));
  const std::string uri = file_.text(image, "uri");
  if (const std::optional<std::string> bytes = file_.embedded(uri)) return texture_color(*bytes);
  return textures_.color_of(uri);
}

}  // namespace stickslip
