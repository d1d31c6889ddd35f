#include "stickslip/scene/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "stickslip/scene/xml.h"
#include "stickslip/scene/yaml_body.h"
#include "stickslip/scene/yaml_elements.h"
#include "stickslip/scene/yaml_include.h"
#include "stickslip/scene/yaml_joint.h"

namespace stickslip {
namespace {

constexpr size_t kLargestFile = 64u << 20;  // bytes
constexpr int kMostIncludedFiles = 10'000;

template <typename T, typename Read>
void read_list(YamlMap& map, const std::string& key, std::vector<T>& out, Read read) {
  const YamlValue* value = map.find(key);
  if (!value) return;
  for (const YamlEntry& entry : to_list(*value, "'" + key + "'")) out.push_back(read(*entry.value));
}

void read_materials(YamlMap& map, Scene& scene) {
  const YamlValue* value = map.find("materials");
  if (!value) return;
  for (const YamlEntry& entry : to_entries(*value, "'materials'")) {
    scene.materials.push_back(read_material(entry.key(), entry.key_where(), *entry.value));
  }
}

void read_bodies(YamlMap& map, const YamlContext& context, Scene& scene) {
  std::unordered_set<std::string> jointed, carriers;
  for (const Joint& joint : scene.joints) {
    if (joint.type != JointType::kFree) jointed.insert(joint.child);
    carriers.insert(joint.parent);
  }
  // A body's joint decides what its own keys may say, and stands later in the file: read its name first.
  const auto read = [&](const YamlValue& value) {
    std::string name;
    for (const YamlEntry& entry : value.entries) {
      if (entry.key() == "name") name = entry.value->scalar;
    }
    return read_body(value, context, {jointed.contains(name), carriers.contains(name)}, scene.warnings);
  };
  read_list(map, "bodies", scene.bodies, read);
}

// Names are how everything refers to everything: two of one kind would make a reference mean either.
template <typename T>
void check_unique(const std::vector<T>& things, const std::string& kind) {
  std::unordered_map<std::string, const T*> seen;
  for (const T& thing : things) {
    if (thing.name.empty()) continue;
    if (thing.name == kWorld && kind == "body") {
      throw ModelError("reserved-name", thing.where, "'world' is the name of the world itself", thing.name,
                       "choose another name, such as ground");
    }
    const auto [other, is_new] = seen.emplace(thing.name, &thing);
    if (is_new) continue;
    throw ModelError("duplicate-name", thing.where,
                     fmt::format("there is another {} '{}' at {}", kind, thing.name, other->second->where.str()),
                     thing.name, "rename one of them; of two includes, give one a prefix");
  }
}

void check_names(const Scene& scene) {
  check_unique(scene.materials, "material");
  check_unique(scene.bodies, "body");
  check_unique(scene.joints, "joint");
  check_unique(scene.tendons, "tendon");
  check_unique(scene.actuators, "actuator");
  check_unique(scene.constraints, "constraint");
  check_unique(scene.frames, "frame");
  check_unique(scene.keyframes, "keyframe");
}

// A robot stands in the world until a joint of the including file carries it.
void carry_included_bodies(size_t own_bodies, size_t own_joints, Scene& scene) {
  std::unordered_map<std::string, Body*> included;
  for (size_t i = own_bodies; i < scene.bodies.size(); ++i) included.emplace(scene.bodies[i].name, &scene.bodies[i]);
  for (size_t j = 0; j < own_joints; ++j) {
    const Joint& joint = scene.joints[j];
    const auto found = included.find(joint.child);
    if (found == included.end()) continue;
    Body& body = *found->second;
    body.fixed = false;
    if (body.pose.position.isZero(0) && body.pose.rotation.isIdentity(0)) continue;
    throw ModelError(
        "two-motions", joint.where,
        fmt::format("joint '{}' carries the included body '{}', which has a pose already", joint.name, body.name),
        joint.child, "leave out the pose of the include; the joint's pose places it");
  }
}

void check_free_starts(const Scene& scene) {
  std::unordered_map<std::string, const Joint*> free_joints;
  for (const Joint& joint : scene.joints) {
    if (joint.type == JointType::kFree && !joint.position.empty()) free_joints.emplace(joint.child, &joint);
  }
  for (const Body& body : scene.bodies) {
    const auto joint = free_joints.find(body.name);
    if (joint == free_joints.end() || (body.pose.position.isZero(0) && body.pose.rotation.isIdentity(0))) continue;
    throw ModelError("two-motions", body.where,
                     fmt::format("body '{}' has a pose, and its joint '{}' a position", body.name, joint->second->name),
                     body.name, "keep one of them");
  }
}

void check_materials(const Scene& scene) {
  std::unordered_set<std::string> known{""};  // the default material
  for (const Material& material : scene.materials) known.insert(material.name);
  for (const Body& body : scene.bodies) {
    for (const Geometry& geometry : body.geometry) {
      if (!known.contains(geometry.material)) require_material(geometry.material, geometry.where, scene);
    }
  }
}

// A robot under the name of a scene would else be one long word.
void check_not_xml(const std::string& text, const std::string& file) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '<') return;
  throw ModelError("unknown-format", {file, 1, 1}, "this is XML, not a scene in YAML", "",
                   "give it the name that it is known by: .urdf for a robot, .xml for an MJCF model");
}

Scene read_text(const std::string& text, const YamlContext& context) {
  check_not_xml(text, context.file);
  const std::shared_ptr<const YamlValue> root = parse_yaml(text, context.file);
  YamlMap map(*root, "the scene");
  Scene scene;
  scene.file = context.file;
  scene.name = map.text("name", std::filesystem::path(context.file).stem().string());
  scene.gravity = map.vector("gravity", scene.gravity);
  scene.filter_parent_child = map.flag("filter_parent_child", true);
  read_materials(map, scene);
  read_list(map, "joints", scene.joints, [&](const YamlValue& v) { return read_joint(v, context); });
  read_bodies(map, context, scene);
  read_list(map, "tendons", scene.tendons, read_tendon);
  read_list(map, "actuators", scene.actuators, read_actuator);
  read_list(map, "constraints", scene.constraints, read_constraint);
  read_list(map, "frames", scene.frames, read_frame);
  read_list(map, "contact_pairs", scene.contact_pairs, read_contact_pair);
  read_list(map, "exclusions", scene.contact_exclusions, read_exclusion);
  read_list(map, "keyframes", scene.keyframes, read_keyframe);
  if (const YamlValue* simulation = map.find("simulation")) scene.simulation = read_simulation(*simulation);
  const YamlValue* includes = map.find("include");
  map.done();
  check_free_starts(scene);
  const size_t own_bodies = scene.bodies.size(), own_joints = scene.joints.size();
  if (includes) {
    for (const YamlEntry& entry : to_list(*includes, "'include'")) include_file(*entry.value, context, scene);
  }
  carry_included_bodies(own_bodies, own_joints, scene);
  check_names(scene);
  check_materials(scene);
  return scene;
}

YamlContext outermost(const LoadOptions& options) {
  YamlContext context;
  context.options = options;
  context.files_left = std::make_shared<int>(kMostIncludedFiles);
  return context;
}

}  // namespace

Scene read_yaml_file(const std::string& file, const YamlContext& includer, const Location& from) {
  YamlContext context = includer;
  context.file = file;
  context.folder = std::filesystem::path(file).parent_path();
  const std::string text = read_text_file(file, from, kLargestFile);
  std::error_code ignored;  // the file has just been read
  const std::filesystem::path canonical = std::filesystem::weakly_canonical(file, ignored);
  if (std::find(context.open_files.begin(), context.open_files.end(), canonical) != context.open_files.end()) {
    throw ModelError("include-cycle", from, fmt::format("'{}' includes itself", file), "", "remove this include");
  }
  context.open_files.push_back(canonical);
  return read_text(text, context);
}

Scene read_yaml(const std::string& file, const LoadOptions& options) {
  return read_yaml_file(file, outermost(options), {file, 0, 0});
}

Scene read_yaml_string(const std::string& text, const std::string& folder, const LoadOptions& options) {
  YamlContext context = outermost(options);
  context.folder = folder;
  return read_text(text, context);
}

}  // namespace stickslip
