#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/mjcf_defaults.h"
#include "stickslip/scene/scene.h"
#include "stickslip/shapes/mesh_mass.h"

namespace stickslip::mjcf {

struct MeshAsset {
  MjcfElement element;
  std::string material;
  std::shared_ptr<const Mesh> mesh;            // in its reference frame and scaled; null until used
  std::optional<MassProperties> unit_density;  // none until used
  std::optional<bool> has_volume;              // that is certain; none until used
};

// Meshes, height fields and colours by name. Files are read when the first geom uses them.
class Assets {
 public:
  Assets(const XmlElement& root, const Defaults& defaults, const Compiler& compiler);

  // Throw ModelError at `where` if there is no such asset.
  const MeshAsset& mesh(const std::string& name, const Location& where);
  const MassProperties& mesh_mass(const std::string& name, const Location& where);  // for a density of 1
  // Whether the mass of the mesh is certain: that of its hull, its surface, or what it encloses.
  bool has_volume(const std::string& name, const Location& where);
  const HeightField& height_field(const std::string& name, const Location& where);
  // Whose mass a height field has in MuJoCo, whatever its heights are.
  Box height_field_box(const std::string& name, const Location& where) const;
  std::optional<std::array<double, 4>> material_color(const std::string& name) const;

 private:
  const Compiler& compiler_;
  std::map<std::string, MeshAsset> meshes_;
  std::map<std::string, const XmlElement*> height_fields_;
  std::map<std::string, HeightField> read_height_fields_;  // those that are used
  std::map<std::string, std::array<double, 4>> colors_;
};

}  // namespace stickslip::mjcf
