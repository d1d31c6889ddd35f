#include "stickslip/scene/sdf.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/scene/sdf_include.h"
#include "stickslip/scene/sdf_link.h"
#include "stickslip/scene/sdf_tree.h"

namespace stickslip {
namespace {

using namespace sdf;  // NOLINT(google-build-using-namespace): the parts of this reader

constexpr int kOldestVersion = 104, kNewestVersion = 112;
constexpr double kWorldGravity = -9.8;  // [m/s^2], SDF's default for worlds

void check_root(const XmlElement& root, SdfContext& context) {
  if (root.name != "sdf") {
    throw ModelError("not-sdf", root.where(), fmt::format("the root element is <{}>, not <sdf>", root.name), root.name,
                     root.name == "robot" ? "this is URDF: name the file .urdf" : "an SDF file starts with <sdf>");
  }
  const int version = version_of(root);
  if (version >= kOldestVersion && version <= kNewestVersion) return;
  context.warn("other-version", root.where("version"),
               fmt::format("SDF versions 1.4 to 1.12 are known; this is '{}' and read as the nearest of them",
                           root.text("version", "")));
}

void read_frames(const Scope& scope, Scopes& scopes, Scene& scene) {
  for (const XmlElement& child : scope.element->children) {
    if (child.name != "frame") continue;
    const std::string name = child.required_text("name");
    const std::size_t body = scopes.body(scope, name, child.where());
    const Pose X_WF = scopes.pose_in_world(scope) * scopes.pose(scope, name, child.where());
    const bool in_world = body == kWorldBody;
    const Pose X_WB = in_world ? Pose() : scene.bodies[body].pose;
    scene.frames.push_back(
        {scope.prefix + name, child.where(), in_world ? kWorld : scene.bodies[body].name, X_WB.inverse() * X_WF});
  }
}

void place_links(const Scope& scope, Scopes& scopes, Scene& scene) {
  auto index = scope.bodies.begin();
  for (const XmlElement& child : scope.element->children) {
    if (!scope.parent || child.name != "link") continue;
    Body& body = scene.bodies[*index++];
    body.pose = scopes.pose_in_world(scope) * scopes.pose(scope, child.required_text("name"), child.where());
    body.fixed = body.fixed || scope.is_static;
  }
}

void read_links(const Scope& scope, Scopes& scopes, SdfContext& context, Scene& scene) {
  auto body = scope.bodies.begin();
  for (const XmlElement& child : scope.element->children) {
    if (child.name == "link") read_link(child, scope, scopes, context, scene.bodies[*body++], scene);
  }
}

std::vector<SdfJoint> read_joints(Scopes& scopes, SdfContext& context, const Scene& scene) {
  std::vector<SdfJoint> joints;
  for (const Scope& scope : scopes.all()) {
    if (!scope.parent || scope.is_static) continue;  // a static model stands still, joints and all
    for (const XmlElement& child : scope.element->children) {
      if (child.name != "joint") continue;
      if (auto joint = read_joint(child, scope, scopes, context, scene)) joints.push_back(std::move(*joint));
    }
  }
  return joints;
}

void read_sensors(const Scope& scope, Scene& scene) {
  for (const XmlElement& holder : scope.element->children) {
    if (holder.name != "link" && holder.name != "joint") continue;
    for (const XmlElement& child : holder.children) {
      if (child.name != "sensor") continue;
      scene.sensors.push_back({scope.prefix + child.text("name", ""), child.where(), child.text("type", ""),
                               holder.name, scope.prefix + holder.text("name", "")});
    }
  }
}

bool collides(const Body& body) {
  return std::any_of(body.geometry.begin(), body.geometry.end(), [](const Geometry& g) { return g.collides; });
}

// Links of a model pass through each other unless the model or one of the two says otherwise.
void exclude_self_collisions(const Scope& scope, int family, Scene& scene) {
  if (!scope.is_model || scope.is_static || flag_in(*scope.element, "self_collide", false)) return;
  auto body = scope.bodies.begin();
  for (const XmlElement& child : scope.element->children) {
    if (child.name != "link") continue;
    if (!flag_in(child, "self_collide", false) && collides(scene.bodies[*body])) scene.bodies[*body].family = family;
    ++body;
  }
}

void read_world(const XmlElement& world, SdfContext& context, Scene& scene) {
  scene.gravity = Vector3d(0, 0, kWorldGravity);
  const XmlElement* physics = world.child("physics");
  if (physics) {
    scene.gravity = vector_in(*physics, "gravity").value_or(scene.gravity);  // its place until SDF 1.5
    if (const auto step = number_in(*physics, "max_step_size"); step && *step > 0) {
      scene.simulation.file_time_step = step;
    }
  }
  scene.gravity = vector_in(world, "gravity").value_or(scene.gravity);
  static const std::vector<std::string> kUnderstood{"model", "frame", "joint", "gravity", "physics"};
  context.ignore_all_but(world, kUnderstood);
  if (physics) context.ignore_all_but(*physics, {"gravity", "max_step_size"});
}

void check_model(const Scope& scope, SdfContext& context) {
  static const std::vector<std::string> kUnderstood{
      "link", "joint", "frame", "model", "pose", "static", "self_collide", "allow_auto_disable", "enable_wind"};
  if (scope.is_model) context.ignore_all_but(*scope.element, kUnderstood);
}

void check_file(const XmlElement& root, SdfContext& context) {
  const XmlElement* world = root.child("world");
  for (const XmlElement& child : root.children) {
    const bool used = world ? &child == world : child.name == "model";
    if (!used) context.ignore(root, child, {"world", "model"});
  }
  if (world || root.child("model")) return;
  throw ModelError("no-links", root.where(), "the file has no <model> and no <world>", "", "add a <model>");
}

Scene read_root(XmlElement root, SdfContext& context) {
  check_root(root, context);
  expand_includes(root, context);
  check_nesting(root);
  check_file(root, context);
  Scene scene;
  const XmlElement* world = root.child("world");
  scene.name = (world ? *world : *root.child("model")).text("name", "");
  if (world) read_world(*world, context, scene);
  Scopes scopes(root, context, scene);
  for (const Scope& scope : scopes.all()) place_links(scope, scopes, scene);
  int family = 0;
  for (const Scope& scope : scopes.all()) {
    if (!scope.parent) continue;
    check_model(scope, context);
    read_links(scope, scopes, context, scene);
    exclude_self_collisions(scope, ++family, scene);
    read_frames(scope, scopes, scene);
    read_sensors(scope, scene);
  }
  add_joints(read_joints(scopes, context, scene), context, scene);
  scene.warnings = std::move(context.warnings);
  return scene;
}

}  // namespace

Scene read_sdf(const std::string& file, const LoadOptions& options) {
  SdfContext context;
  const std::string folder = std::filesystem::path(file).parent_path().string();
  context.folder = folder.empty() ? "." : folder;
  context.options = options;
  Scene scene = read_root(load_xml(file), context);
  scene.file = file;
  return scene;
}

Scene read_sdf_string(const std::string& text, const std::string& folder, const LoadOptions& options) {
  SdfContext context;
  context.folder = folder;
  context.options = options;
  return read_root(parse_xml(text, ""), context);
}

}  // namespace stickslip
