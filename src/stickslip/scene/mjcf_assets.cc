#include "stickslip/scene/mjcf_assets.h"

#include <fmt/format.h>

#include "stickslip/base/names.h"
#include "stickslip/scene/mjcf_hfield.h"
#include "stickslip/scene/mjcf_mesh.h"
#include "stickslip/shapes/mesh_closed.h"

namespace stickslip::mjcf {
namespace {

template <typename Value>
typename std::map<std::string, Value>::const_iterator find_named(const std::map<std::string, Value>& assets,
                                                                 const std::string& name, const Location& where,
                                                                 std::string_view kind) {
  const auto found = assets.find(name);
  if (found != assets.end()) return found;
  std::vector<std::string> names;
  for (const auto& [known, _] : assets) names.push_back(known);
  throw ModelError("unknown-name", where, fmt::format("there is no {} of this name", kind), name,
                   did_you_mean(name, names));
}

}  // namespace

Assets::Assets(const XmlElement& root, const Defaults& defaults, const Compiler& compiler) : compiler_(compiler) {
  for (const XmlElement& section : root.children) {
    if (section.name != "asset") continue;
    for (const XmlElement& child : section.children) {
      if (child.name == "mesh") {
        meshes_.insert_or_assign(asset_name(child), MeshAsset{.element = defaults.resolve(child, "mesh"),
                                                              .material = child.text("material", ""),
                                                              .mesh = nullptr,
                                                              .unit_density = std::nullopt,
                                                              .has_volume = std::nullopt});
      } else if (child.name == "hfield") {
        height_fields_[asset_name(child)] = &child;
      } else if (child.name == "material") {
        std::array<double, 4> color{1, 1, 1, 1};
        defaults.resolve(child, "material").overlay("rgba", color);
        colors_[child.text("name", "")] = color;
      }
    }
  }
}

const MeshAsset& Assets::mesh(const std::string& name, const Location& where) {
  find_named(meshes_, name, where, "mesh");
  MeshAsset& asset = meshes_.at(name);
  if (!asset.mesh) asset.mesh = std::make_shared<const Mesh>(load_mesh(asset.element, compiler_));
  return asset;
}

const MassProperties& Assets::mesh_mass(const std::string& name, const Location& where) {
  mesh(name, where);
  MeshAsset& asset = meshes_.at(name);
  if (!asset.unit_density) asset.unit_density = unit_mesh_mass(asset.element, *asset.mesh);
  return *asset.unit_density;
}

bool Assets::has_volume(const std::string& name, const Location& where) {
  mesh(name, where);
  MeshAsset& asset = meshes_.at(name);
  const std::string mode = asset.element.text("inertia", "legacy");
  if (!asset.has_volume) asset.has_volume = mode == "convex" || mode == "shell" || is_closed(*asset.mesh);
  return *asset.has_volume;
}

const HeightField& Assets::height_field(const std::string& name, const Location& where) {
  const XmlElement& element = *find_named(height_fields_, name, where, "height field")->second;
  const auto read = read_height_fields_.find(name);
  if (read != read_height_fields_.end()) return read->second;
  return read_height_fields_.emplace(name, load_height_field(element, compiler_)).first->second;
}

Box Assets::height_field_box(const std::string& name, const Location& where) const {
  return mjcf::height_field_box(*find_named(height_fields_, name, where, "height field")->second);
}

std::optional<std::array<double, 4>> Assets::material_color(const std::string& name) const {
  const auto found = colors_.find(name);
  return found == colors_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace stickslip::mjcf
