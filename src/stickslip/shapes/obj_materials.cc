#include "stickslip/shapes/obj_materials.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/number_text.h"
#include "stickslip/shapes/texture_color.h"

namespace stickslip {
namespace {

constexpr std::size_t kLargestMtl = std::size_t{16} << 20;  // bytes

struct Material {
  std::string name;
  std::optional<std::array<double, 3>> diffuse;  // Kd
  double opacity = 1;                            // d, or 1 - Tr
  std::string picture;                           // map_Kd
};

std::optional<double> take_share(NumberText& words) {
  double x = 0;
  if (!words.take(x) || !std::isfinite(x)) return {};
  return std::clamp(x, 0.0, 1.0);
}

void read_line(std::string_view line, Material& material) {
  NumberText words(line);
  const std::string_view keyword = words.take_word();
  if (keyword == "Kd") {
    std::array<double, 3> color;
    for (double& channel : color) {
      const std::optional<double> share = take_share(words);
      if (!share) return;
      channel = *share;
    }
    material.diffuse = color;
  } else if (keyword == "d") {
    material.opacity = take_share(words).value_or(material.opacity);
  } else if (keyword == "Tr") {
    material.opacity = 1 - take_share(words).value_or(1 - material.opacity);
  } else if (keyword == "map_Kd") {
    for (std::string_view word = words.take_word(); !word.empty(); word = words.take_word()) material.picture = word;
  }
}

std::optional<Color> color_of(const Material& material, TextureColors& textures) {
  std::array<double, 3> color = material.diffuse.value_or(std::array<double, 3>{1, 1, 1});
  const auto mean = material.picture.empty() ? std::nullopt : textures.color_of(material.picture);
  if (!material.diffuse && !mean) return {};
  for (std::size_t k = 0; mean && k < 3; ++k) color[k] *= (*mean)[k];
  // Some exporters write d 0 or Tr 1 for what hides all behind it: nobody draws what cannot be seen.
  const double opacity = material.opacity > 0 ? material.opacity : 1;
  return Color{color[0], color[1], color[2], opacity};
}

std::optional<std::string> read_if_there(const std::string& file) {
  try {
    return read_file_bytes(file, {}, kLargestMtl);
  } catch (const ModelError&) {
    return {};
  }
}

}  // namespace

std::string mtl_name(std::string_view rest) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = rest.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return std::string(rest.substr(first, rest.find_last_not_of(kBlanks) - first + 1));
}

void MtlColors::parse(std::string_view text, std::string file) {
  constexpr std::string_view kBegins = "newmtl";
  TextureColors textures(std::move(file));
  std::optional<Material> material;
  const auto finish = [&] {
    const std::optional<Color> color = material ? color_of(*material, textures) : std::nullopt;
    if (color) colors_.insert_or_assign(material->name, *color);
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(kBegins)) {
      finish();
      material.emplace().name = mtl_name(line.substr(kBegins.size()));
    } else if (material) {
      read_line(line, *material);
    }
  }
  finish();
}

std::optional<Color> MtlColors::find(std::string_view name) const {
  const auto found = colors_.find(name);
  return found == colors_.end() ? std::nullopt : std::optional(found->second);
}

bool MtlColors::read_library(const std::string& name) {
  const std::string file = resolve_beside(name, obj_file_);
  if (!files_.insert(file).second) return true;
  const std::optional<std::string> text = read_if_there(file);
  if (text) parse(*text, file);
  return text.has_value();
}

void MtlColors::read_libraries(std::string_view names) {
  if (read_library(mtl_name(names))) return;  // one file, whose name may have blanks
  NumberText words(names);
  for (std::string_view word = words.take_word(); !word.empty(); word = words.take_word()) {
    read_library(std::string(word));
  }
}

}  // namespace stickslip
