#include "stickslip/scene/yaml_include.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/scene/yaml_compose.h"
#include "stickslip/scene/yaml_joint.h"

namespace stickslip {
namespace {

constexpr size_t kDeepestInclude = 16;

bool is_yaml(const std::string& file) {
  const std::string extension = lower_extension(file);
  return extension == ".yaml" || extension == ".yml";
}

BaseType read_base(const YamlValue& value, const std::string& what, const std::string& file) {
  const std::string word = to_text(value, what);
  if (is_yaml(file)) {
    throw ModelError("bad-value", value.where(), what + " has a meaning for URDF files only", word, "remove it");
  }
  if (word == "fixed") return BaseType::kFixed;
  if (word == "floating") return BaseType::kFloating;
  throw ModelError("bad-value", value.where(), what + " must be fixed or floating", word, "write fixed or floating");
}

Scene read_part(const YamlValue& file, const std::string& path, const YamlContext& context) {
  if (context.open_files.size() >= kDeepestInclude) {
    throw ModelError("include-too-deep", file.where(),
                     fmt::format("includes are nested deeper than {}", kDeepestInclude), file.scalar);
  }
  if (--*context.files_left < 0) {
    throw ModelError("too-many-includes", file.where(), "the scene includes too many files", file.scalar);
  }
  std::error_code ignored;  // a name that cannot be looked up is the name of no file
  if (std::filesystem::is_directory(path, ignored) || !std::filesystem::exists(path, ignored)) {
    throw ModelError("no-such-file", file.where(), fmt::format("there is no file '{}'", path), file.scalar,
                     "paths are relative to the folder of the file that includes them");
  }
  return is_yaml(path) ? read_yaml_file(path, context, file.where()) : read_scene(path, context.options);
}

// Starting positions by joint name, as named in the included file.
void set_positions(const YamlValue& value, const std::string& what, Scene& part) {
  for (const YamlEntry& entry : to_entries(value, what)) {
    const auto named = [&](const Joint& j) { return j.name == entry.key(); };
    const auto joint = std::find_if(part.joints.begin(), part.joints.end(), named);
    if (joint == part.joints.end()) {
      std::vector<std::string> names;
      names.reserve(part.joints.size());
      for (const Joint& j : part.joints) names.push_back(j.name);
      throw ModelError("unknown-joint", entry.key_where(), fmt::format("the file has no joint '{}'", entry.key()),
                       entry.key(), did_you_mean(entry.key(), names));
    }
    const auto size = static_cast<size_t>(position_size(joint->type));
    const std::string of_joint = fmt::format("position of joint '{}'", entry.key());
    joint->position =
        size == 1 ? to_number_or_numbers(*entry.value, of_joint, 1) : to_numbers(*entry.value, of_joint, size, size);
  }
}

void set_material(const std::string& material, Scene& part) {
  for (Geometry& g : part.world_geometry) g.material = material;
  for (Body& b : part.bodies) {
    for (Geometry& g : b.geometry) g.material = material;
  }
}

void warn_of_losses(const Scene& part, const YamlValue& file, Scene& scene) {
  if (!part.gravity.isApprox(scene.gravity)) {
    const Vector3d& g = scene.gravity;
    scene.warnings.push_back(
        {"include-gravity", file.where(),
         fmt::format("'{}' has its own gravity; this scene's [{}, {}, {}] holds", file.scalar, g.x(), g.y(), g.z())});
  }
  if (!part.keyframes.empty()) {
    scene.warnings.push_back(
        {"include-keyframes", file.where(),
         fmt::format("keyframes of '{}' are left out: q of the whole scene is longer", file.scalar)});
  }
}

}  // namespace

void require_material(const std::string& material, const Location& where, const Scene& scene) {
  const auto named = [&](const Material& m) { return m.name == material; };
  if (std::any_of(scene.materials.begin(), scene.materials.end(), named)) return;
  std::vector<std::string> names;
  names.reserve(scene.materials.size());
  for (const Material& m : scene.materials) names.push_back(m.name);
  throw ModelError("unknown-material", where, fmt::format("there is no material '{}'", material), material,
                   did_you_mean(material, names));
}

void include_file(const YamlValue& value, const YamlContext& context, Scene& scene) {
  YamlMap map(value, "an include");
  const YamlValue& file = map.require("file", "add 'file: robot.urdf'");
  const std::string path = context.resolve(to_text(file, map.of("file")), file.where());
  map.set_what(fmt::format("the include of '{}'", file.scalar));
  const std::string prefix = map.text("prefix", "");
  const Pose pose = map.pose();
  const YamlValue* material_value = map.find("material");
  const std::string material = map.text("material", "");
  if (material_value) require_material(material, material_value->where(), scene);
  const YamlValue* joints = map.find("joints");
  YamlContext inner = context;
  inner.options.base = BaseType::kFixed;
  if (const YamlValue* base = map.find("base")) inner.options.base = read_base(*base, map.of("base"), path);
  map.done();

  Scene part = read_part(file, path, inner);
  if (joints) set_positions(*joints, map.of("joints"), part);
  add_prefix(prefix, part);
  if (!material.empty()) set_material(material, part);
  place(pose, part);
  warn_of_losses(part, file, scene);
  append(std::move(part), scene);
}

}  // namespace stickslip
