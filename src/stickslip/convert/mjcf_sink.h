#pragma once

#include <pugixml.hpp>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "stickslip/convert/asset_files.h"
#include "stickslip/convert/contact_units.h"
#include "stickslip/convert/mjcf_tree.h"
#include "stickslip/convert/notes.h"
#include "stickslip/model/model.h"

// Shared by the parts of write_mjcf; not for users.
namespace stickslip::convert {

// The file's sections, in its order.
struct MjcfSections {
  pugi::xml_node option, asset, world, contact, tendon, equality, actuator, keyframe;
};

struct MjcfSink {
  const Scene& scene;
  const Model& model;
  const MjcfTree& tree;
  const ContactMasses& masses;
  MjcfSections out;
  Notes& notes;
  AssetFiles& assets;
  double time_step = 0.002;               // [s], MuJoCo's unless the scene has one
  std::vector<std::vector<Frame>> sites;  // by body: the scene's frames, and those that constraints need
  std::unordered_set<std::string> geom_names, site_names, tendon_names;
  std::unordered_set<std::string> touchable;  // names of geoms that can take part in a contact pair

  // Where a body with this name stands in the tree.
  const MjcfBody& body(const std::string& name) const { return tree.bodies[model.find_body(name)]; }
  // MuJoCo's joints that make up one of ours, in order.
  std::vector<const MjcfJoint*> parts(int joint) const;
};

void write_options(MjcfSink& sink);
void write_bodies(MjcfSink& sink);
void write_inertial(MjcfSink& sink, const MjcfBody& body, pugi::xml_node node);
void write_joints(MjcfSink& sink, const MjcfBody& body, pugi::xml_node node);
void write_geoms(MjcfSink& sink, int body, const std::vector<Geometry>& geometry, pugi::xml_node node);
void write_contacts(MjcfSink& sink);
void write_tendons(MjcfSink& sink);
void write_actuators(MjcfSink& sink);
void write_equalities(MjcfSink& sink);
void write_keyframes(MjcfSink& sink);

// MuJoCo's contact parameters of one of our materials, for a body of `mass` [kg] against something rigid; infinite: for
// what cannot move.
MjcfContact contact_of(MjcfSink& sink, const Material& material, double mass);
Material find_material(const MjcfSink& sink, const std::string& name);  // no name: the default one
// Says, once all geoms are written, which of our rules for two materials MuJoCo does not have.
void note_mixing(MjcfSink& sink);

// Sections are written in any order, so names for what only MuJoCo needs are chosen here: `wanted`, or that with '_'
// behind it.
std::string unused_name(std::unordered_set<std::string>& taken, const std::string& wanted);

}  // namespace stickslip::convert
