#include "stickslip/convert/write_yaml.h"

#include <filesystem>

#include "stickslip/convert/yaml_sink.h"
#include "stickslip/geometry/start_overlaps.h"

namespace stickslip {
namespace convert {
namespace {

YamlText material_text(const Material& material) {
  const Material standard;
  YamlText out = YamlText::map();
  set_number(out, "stiffness", material.stiffness, standard.stiffness);
  if (material.relaxation_time) {
    out.set("relaxation_time", YamlText::number(*material.relaxation_time));
  } else {
    set_number(out, "dissipation", material.dissipation, standard.dissipation);
  }
  if (material.youngs_modulus) {
    out.set("youngs_modulus", YamlText::number(*material.youngs_modulus));
    set_number(out, "poisson_ratio", material.poisson_ratio, standard.poisson_ratio);
  }
  if (material.static_friction != material.dynamic_friction) {
    YamlText friction = YamlText::map();
    friction.set("static", YamlText::number(material.static_friction));
    friction.set("dynamic", YamlText::number(material.dynamic_friction));
    out.set("friction", friction);
  } else {
    set_number(out, "friction", material.static_friction, standard.static_friction);
  }
  set_number(out, "stiction_tolerance", material.stiction_tolerance, standard.stiction_tolerance);
  if (material.grain) {
    YamlText grain = YamlText::map();
    grain.set("direction", YamlText::vector(material.grain->direction));
    grain.set("friction_ratio", YamlText::number(material.grain->friction_ratio));
    out.set("grain", grain);
  }
  return out;
}

YamlText materials_text(const PhysicalMaterials& surfaces) {
  YamlText out = YamlText::map();
  out.block();
  for (const Material& material : surfaces.materials) out.set(material.name, material_text(material));
  return out;
}

// Scene files have no geometry of the world itself: a fixed body bears it.
std::string name_world_body(const Scene& scene, const Model& model, Notes& notes) {
  if (scene.world_geometry.empty()) return "";
  std::string name = "ground";
  while (model.find_body(name) >= 0) name += "_";
  notes.add("world-geometry", scene.world_geometry.front().where, "",
            "the world's own geometry belongs to the fixed body '" + name + "'");
  return name;
}

void set_section(YamlText& document, const std::string& key, YamlText section) {
  if (!section.empty()) document.set(key, std::move(section.block()));
}

}  // namespace

void set_pose(YamlText& map, const std::string& key, const Pose& pose) {
  YamlText text = YamlText::pose(pose);
  if (!text.empty()) map.set(key, std::move(text));
}

void set_number(YamlText& map, const std::string& key, double x, double fallback) {
  if (x != fallback) map.set(key, YamlText::number(x));
}

void set_range(YamlText& map, const std::string& key, const Range& range) {
  if (range.bounded()) map.set(key, YamlText::range(range));
}

}  // namespace convert

Converted write_yaml(const Scene& given, const std::string& assets_folder) {
  using namespace convert;
  const Scene scene = exclude_start_overlaps(given);
  const Model model = compile(scene);
  Notes notes;
  AssetFiles assets(assets_folder);
  const PhysicalMaterials surfaces = physical_materials(scene, model, notes);
  YamlSink sink{scene, model, surfaces, name_world_body(scene, model, notes), notes, assets};
  YamlText document = YamlText::map();
  // Without a name the reader would take the new file's.
  const std::string name = scene.name.empty() ? std::filesystem::path(scene.file).stem().string() : scene.name;
  if (!name.empty()) document.set("name", YamlText::text(name));
  if (scene.gravity != Scene().gravity) document.set("gravity", YamlText::vector(scene.gravity));
  if (!scene.filter_parent_child) document.set("filter_parent_child", YamlText::flag(false));
  set_section(document, "materials", materials_text(surfaces));
  set_section(document, "bodies", yaml_bodies(sink));
  set_section(document, "joints", yaml_joints(sink));
  set_section(document, "tendons", yaml_tendons(sink));
  set_section(document, "actuators", yaml_actuators(sink));
  set_section(document, "constraints", yaml_constraints(sink));
  set_section(document, "frames", yaml_frames(sink));
  set_section(document, "contact_pairs", yaml_contact_pairs(sink));
  set_section(document, "exclusions", yaml_exclusions(sink));
  set_section(document, "keyframes", yaml_keyframes(sink));
  YamlText simulation = yaml_simulation(sink);
  if (!simulation.empty()) document.set("simulation", std::move(simulation));
  return {document.document(), assets.take(), notes.list()};
}

}  // namespace stickslip
