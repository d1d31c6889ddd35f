#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "stickslip/base/names.h"
#include "stickslip/base/out_of_memory.h"
#include "stickslip/model/bounds.h"
#include "stickslip/model/compiler.h"

namespace stickslip {
namespace compiler {

int resolve(const NameMap& map, const std::string& name, const char* kind, const Location& where) {
  const auto found = map.find(name);
  if (found != map.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, index] : map) names.push_back(known);
  std::sort(names.begin(), names.end());
  throw ModelError(fmt::format("unknown-{}", kind), where, fmt::format("there is no {} named '{}'", kind, name), name,
                   did_you_mean(name, names));
}

void insert_unique(NameMap& map, const std::string& name, int index, const char* kind, const Location& where) {
  if (map.emplace(name, index).second) return;
  throw ModelError("duplicate-name", where, fmt::format("two {}s are named '{}'", kind, name), name,
                   fmt::format("rename one of the two {}s; models included twice need a prefix", kind));
}

namespace {

void check_inertia(const Body& body) {
  const MassProperties& inertia = body.inertia;
  if (!(inertia.mass >= 0) || !std::isfinite(inertia.mass) || !inertia.center.allFinite() ||
      !inertia.inertia.allFinite()) {
    throw ModelError(
        "bad-mass", body.where,
        fmt::format("mass of body '{}' is {}, expected a finite number, at least 0", body.name, inertia.mass), "",
        "give a positive mass, or a density and a geometry");
  }
}

// Named like the body, unless the file uses that name for another joint.
Joint implicit_free_joint(const Body& body, const std::unordered_set<std::string>& taken) {
  Joint joint;
  joint.name = body.name;
  while (taken.contains(joint.name)) joint.name += "_free";
  joint.where = body.where;
  joint.type = JointType::kFree;
  joint.child = body.name;
  return joint;
}

}  // namespace

void collect_bodies(Context& context) {
  const Scene& scene = context.scene;
  Model& model = context.model;
  model.bodies.resize(scene.bodies.size() + 1);
  model.bodies[0].name = kWorld;
  model.bodies[0].geometry = scene.world_geometry;
  context.body_index.emplace(kWorld, 0);
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    check_inertia(body);
    insert_unique(context.body_index, body.name, static_cast<int>(i) + 1, "body", body.where);
    BodyInfo& info = model.bodies[i + 1];
    info.name = body.name;
    info.where = body.where;
    info.inertia = body.inertia;
    info.gravity_scale = body.gravity_scale;
    info.robot = body.robot;
    info.family = body.family;
    info.geometry = body.geometry;
  }
  context.joints_of_body.resize(model.bodies.size());
  std::unordered_set<std::string> joint_names;
  for (const Joint& joint : scene.joints) {
    joint_names.insert(joint.name);
    const int child = resolve(context.body_index, joint.child, "body", joint.where);
    resolve(context.body_index, joint.parent, "body", joint.where);
    if (child == 0) {
      throw ModelError("world-has-joint", joint.where, fmt::format("joint '{}' moves the world", joint.name), "",
                       "swap parent and child");
    }
    std::vector<Joint>& chain = context.joints_of_body[child];
    if (!chain.empty() && chain.front().parent != joint.parent) {
      throw ModelError(
          "two-parents", joint.where,
          fmt::format("body '{}' has two parents, '{}' and '{}'", joint.child, chain.front().parent, joint.parent),
          joint.name, "close the loop with a constraint (weld, ball or distance) instead of a joint");
    }
    chain.push_back(joint);
  }
  for (size_t i = 0; i < scene.bodies.size(); ++i) {
    const Body& body = scene.bodies[i];
    const bool stands_alone = body.fixed || body.mocap || body.motion.has_value();
    std::vector<Joint>& chain = context.joints_of_body[i + 1];
    if (stands_alone && !chain.empty()) {
      throw ModelError(
          "fixed-and-jointed", body.where,
          fmt::format("body '{}' is fixed or prescribed and also moved by joint '{}'", body.name, chain[0].name), "",
          "remove the joint, or 'fixed', 'mocap' or 'motion'");
    }
    if (!stands_alone && chain.empty()) chain.push_back(implicit_free_joint(body, joint_names));
  }
}

namespace {

void check_start(const Model& model) {
  std::optional<BadNumber> bad = find_bad_position(model, model.q0);
  if (!bad) bad = find_bad_velocity(model, model.v0);
  if (!bad) bad = find_bad_mocap(model, model.mocap0);
  if (bad) throw ModelError(bad->code, bad->where, fmt::format("at the start {}", bad->message), "", bad->fix);
}

}  // namespace
}  // namespace compiler

namespace {

Model compile_all(const Scene& scene) {
  Model model;
  model.name = scene.name;
  model.file = scene.file;
  model.scene = std::make_shared<const Scene>(scene);
  model.gravity = scene.gravity;
  model.materials = scene.materials;
  model.contact_pairs = scene.contact_pairs;
  model.filter_parent_child = scene.filter_parent_child;
  model.simulation = scene.simulation;
  model.warnings = scene.warnings;

  compiler::check_extents(scene);
  compiler::Context context{scene, model, {}, {}, {}, {}};
  compiler::collect_bodies(context);
  compiler::lay_out_joints(context);
  compiler::build_links(context);
  compiler::check_start(model);
  compiler::resolve_references(context);
  compiler::warn_of_starts(context);
  return model;
}

}  // namespace

Model compile(const Scene& scene) {
  return within_memory({scene.file, 0, 0}, [&] { return compile_all(scene); });
}

}  // namespace stickslip
