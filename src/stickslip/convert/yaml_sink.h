#pragma once

#include <string>
#include <vector>

#include "stickslip/convert/asset_files.h"
#include "stickslip/convert/notes.h"
#include "stickslip/convert/physical_materials.h"
#include "stickslip/convert/yaml_text.h"
#include "stickslip/model/model.h"
#include "stickslip/scene/scene.h"

// Shared by the parts of write_yaml; not for users.
namespace stickslip::convert {

struct YamlSink {
  const Scene& scene;
  const Model& model;
  const PhysicalMaterials& surfaces;
  std::string world_body;  // name of the body that bears the world's geometry; empty if it has none
  Notes& notes;
  AssetFiles& assets;
};

// Each is the list of its section; empty: nothing to say.
YamlText yaml_bodies(YamlSink& sink);
YamlText yaml_joints(YamlSink& sink);
YamlText yaml_tendons(YamlSink& sink);
YamlText yaml_actuators(YamlSink& sink);
YamlText yaml_constraints(YamlSink& sink);
YamlText yaml_frames(YamlSink& sink);
YamlText yaml_contact_pairs(YamlSink& sink);
YamlText yaml_exclusions(YamlSink& sink);
YamlText yaml_keyframes(YamlSink& sink);
YamlText yaml_simulation(YamlSink& sink);

YamlText yaml_geometry(YamlSink& sink, const Geometry& geometry, const std::string& material);
YamlText yaml_motion(const Motion& motion, bool of_joint);

void set_pose(YamlText& map, const std::string& key, const Pose& pose);  // unless it is the identity
void set_number(YamlText& map, const std::string& key, double x, double fallback);
void set_range(YamlText& map, const std::string& key, const Range& range);  // unless it has no bounds

}  // namespace stickslip::convert
