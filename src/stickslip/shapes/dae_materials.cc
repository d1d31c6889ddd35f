#include "stickslip/shapes/dae_materials.h"

#include <algorithm>
#include <cmath>

#include "stickslip/shapes/number_text.h"

namespace stickslip {
namespace {

constexpr double kUnknownTexture = 0.5;  // grey

pugi::xml_node parameter(pugi::xml_node profile, const std::string& name) {
  return profile.find_child_by_attribute("newparam", "sid", name.c_str());
}

}  // namespace

std::optional<Color> DaeMaterials::color_of(const std::string& url) {
  const auto [entry, is_new] = known_.try_emplace(url);
  if (is_new) {
    const pugi::xml_node instance = file_.find(url, "material").child("instance_effect");
    entry->second = read_effect(file_.find(instance.attribute("url").value(), "effect"));
  }
  return entry->second;
}

std::optional<Color> DaeMaterials::read_effect(pugi::xml_node effect) {
  const pugi::xml_node profile = effect.child("profile_COMMON");
  const pugi::xml_node technique = profile.child("technique");
  for (const char* name : {"phong", "blinn", "lambert"}) {
    const pugi::xml_node shader = technique.child(name);
    const pugi::xml_node diffuse = shader.child("diffuse");
    std::optional<Color> color = read_color(diffuse.child("color"));
    if (const pugi::xml_node texture = diffuse.child("texture")) {
      color = read_texture(profile, texture.attribute("texture").value());
    }
    if (!color) continue;
    (*color)[3] = read_opacity(shader);
    return color;
  }
  return {};
}

// The sampler's name leads to a surface, that to an image, and that to a file; short cuts are common.
std::optional<Color> DaeMaterials::read_texture(pugi::xml_node profile, const std::string& name) {
  std::string url = "#" + name;
  if (const pugi::xml_node sampler = parameter(profile, name).child("sampler2D")) {
    const std::string source = sampler.child("source").text().get();
    const pugi::xml_node surface = parameter(profile, source).child("surface");
    url = "#" + (surface ? std::string(surface.child("init_from").text().get()) : source);
    if (const pugi::xml_node instance = sampler.child("instance_image")) url = instance.attribute("url").value();
  }
  const pugi::xml_node from = file_.find(url, "image").child("init_from");
  const char* uri = from.child("ref") ? from.child("ref").text().get() : from.text().get();
  const auto mean = textures_.color_of(uri);
  if (!mean) return Color{kUnknownTexture, kUnknownTexture, kUnknownTexture, 1};
  return Color{(*mean)[0], (*mean)[1], (*mean)[2], 1};
}

std::optional<Color> DaeMaterials::read_color(pugi::xml_node color) const {
  Color out{0, 0, 0, 1};
  NumberText words(color.text().get());
  for (std::size_t k = 0; k < 3; ++k) {
    if (!words.take(out[k]) || !std::isfinite(out[k])) return {};
  }
  double opacity = 1;
  if (words.take(opacity) && std::isfinite(opacity)) out[3] = opacity;
  for (double& x : out) x = std::clamp(x, 0.0, 1.0);
  return out;
}

// By <transparent> and <transparency>, as the standard says. Many exporters write an opacity of zero for surfaces that
// hide what is behind them: nobody draws what cannot be seen.
double DaeMaterials::read_opacity(pugi::xml_node shader) const {
  const pugi::xml_node transparent = shader.child("transparent");
  const std::string_view mode = transparent.attribute("opaque").as_string("A_ONE");
  const Color color = read_color(transparent.child("color")).value_or(Color{1, 1, 1, 1});
  double amount = 1;
  NumberText words(shader.child("transparency").child("float").text().get());
  if (!words.take(amount) || !std::isfinite(amount)) amount = 1;
  const double luminance = 0.212671 * color[0] + 0.715160 * color[1] + 0.072169 * color[2];
  double opacity = amount * (mode.starts_with("RGB") ? luminance : color[3]);
  if (mode.ends_with("ZERO")) opacity = 1 - opacity;
  return opacity > 0 ? std::min(opacity, 1.0) : 1;
}

}  // namespace stickslip
