#include "stickslip/scene/urdf.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"
#include "stickslip/scene/urdf_joint.h"
#include "stickslip/scene/urdf_link.h"
#include "stickslip/scene/urdf_tree.h"

namespace stickslip {
namespace {

[[noreturn]] void fail_as_xacro(const Location& where, const std::string& text) {
  throw ModelError("xacro", where, "this is a xacro template, not yet a URDF", text,
                   "run 'xacro robot.urdf.xacro > robot.urdf' and load its output");
}

void refuse_xacro(const XmlElement& element) {
  if (element.name.starts_with("xacro:")) fail_as_xacro(element.where(), "<" + element.name + ">");
  for (const XmlAttribute& attribute : element.attributes) {
    const bool templated =
        attribute.value.find("${") != std::string::npos || attribute.value.find("$(") != std::string::npos;
    if (templated) fail_as_xacro(element.where(attribute.name), attribute.value);
  }
  for (const XmlElement& child : element.children) refuse_xacro(child);
}

// As against the call of a macro.
bool defines_by_xacro(const XmlElement& element) {
  const std::vector<std::string> words{"macro", "property", "arg", "include", "if", "unless", "insert_block"};
  const auto is_named = [&](const std::string& word) { return element.name == "xacro:" + word; };
  return std::any_of(words.begin(), words.end(), is_named);
}

void check_root(const XmlElement& robot) {
  if (robot.name == "robot") return;
  throw ModelError("not-urdf", robot.where(), fmt::format("the root element is <{}>, not <robot>", robot.name),
                   robot.name,
                   robot.name == "mujoco" ? "this is MJCF: name the file .xml" : "a URDF starts with <robot>");
}

// A robot without anything for the eye is drawn as it collides; links without it, of others, are not drawn.
void show_something(UrdfRobot& robot) {
  const auto is_visible = [](const Geometry& geometry) { return geometry.visible; };
  const auto is_seen = [&](const UrdfLink& link) {
    return std::any_of(link.body.geometry.begin(), link.body.geometry.end(), is_visible);
  };
  if (std::any_of(robot.links.begin(), robot.links.end(), is_seen)) return;
  for (UrdfLink& link : robot.links) {
    for (Geometry& geometry : link.body.geometry) geometry.visible = true;
  }
}

UrdfRobot read_robot(const XmlElement& element, UrdfContext& context) {
  UrdfRobot robot;
  const std::vector<std::string> understood{"link", "joint", "material"};
  // Colours first: links may use a name that is defined further down.
  for (const XmlElement& child : element.children) {
    if (child.name == "material") read_color(child, context);
  }
  for (const XmlElement& child : element.children) {
    if (child.name == "link") {
      robot.links.push_back(read_link(child, context));
    } else if (child.name == "joint") {
      robot.joints.push_back(read_urdf_joint(child, context));
    } else if (child.name.starts_with("xacro:")) {
      context.warn("unexpanded-macro", child.where(),
                   fmt::format("<{}> is the call of a xacro macro that was never expanded; left out", child.name));
    } else if (child.name != "material") {
      context.ignore(element, child, understood);
    }
  }
  show_something(robot);
  return robot;
}

bool floats(const UrdfContext& context) { return context.options.base == BaseType::kFloating; }

// The world of a model bears that name already; a root link that floats is another body.
void rename_floating_world(UrdfRobot& robot, const UrdfTree& tree, UrdfContext& context) {
  Body& root = robot.links[tree.root].body;
  if (root.name != kWorld || !floats(context)) return;
  root.name = "world_link";
  const auto taken = [&](const UrdfLink& link) { return &link.body != &root && link.body.name == root.name; };
  while (std::any_of(robot.links.begin(), robot.links.end(), taken)) root.name += "_";
  for (UrdfJoint& urdf : robot.joints) {
    if (urdf.joint.parent == kWorld) urdf.joint.parent = root.name;
  }
  context.warn("renamed-world", root.where,
               fmt::format("link 'world' floats, so it is not the world; it is named '{}'", root.name));
}

// The root link is the world (by its name), part of it (fixed), or free.
void add_root(UrdfLink& root, const UrdfRobot& robot, UrdfContext& context, Scene& scene) {
  Body& body = root.body;
  const bool floating = floats(context);
  if (body.name == kWorld) {
    scene.world_geometry = std::move(body.geometry);
    return;
  }
  body.fixed = !floating;
  if (floating) {
    Joint free;
    free.name = "root_joint";
    const auto taken = [&](const UrdfJoint& j) { return j.joint.name == free.name; };
    while (std::any_of(robot.joints.begin(), robot.joints.end(), taken)) free.name += "_";
    free.where = body.where;
    free.type = JointType::kFree;
    free.child = body.name;
    scene.joints.push_back(std::move(free));
  }
  scene.bodies.push_back(std::move(body));
}

// q = 0 may be forbidden, and a coupled joint may not be free to start there.
void set_start(UrdfJoint& urdf, UrdfContext& context) {
  Joint& joint = urdf.joint;
  if (!joint.limits.bounded() && !urdf.mimic) return;
  const double wanted = urdf.mimic ? urdf.mimic->coefficients[0] : 0;
  const double start = std::clamp(wanted, joint.limits.lower, joint.limits.upper);
  if (start != wanted) {
    context.warn("start-outside-limits", joint.where,
                 fmt::format("joint '{}' may not be at {}; it starts at {}", joint.name, wanted, start));
  }
  if (start != 0) joint.position = {start};
}

Scene assemble(UrdfRobot& robot, UrdfContext& context) {
  Scene scene;
  add_implied_world(robot, context);
  const UrdfTree tree = build_tree(robot);
  drop_unknown_mimics(robot, context);
  rename_floating_world(robot, tree, context);
  if (context.options.repair) infer_missing_masses(robot, tree, context);
  warn_of_massless_links(robot, tree, context);
  add_root(robot.links[tree.root], robot, context, scene);
  for (size_t j = 0; j < robot.joints.size(); ++j) {
    UrdfJoint& joint = robot.joints[j];
    set_start(joint, context);
    scene.bodies.push_back(std::move(robot.links[tree.child[j]].body));
    if (joint.mimic) scene.constraints.push_back(std::move(*joint.mimic));
    scene.joints.push_back(std::move(joint.joint));
  }
  return scene;
}

// Exporters leave calls of macros behind that nobody has defined: a PR2 is whole without those for Gazebo. What is no
// tree without them is a template.
Scene assemble_without_macros(const XmlElement& element, UrdfRobot& robot, UrdfContext& context) {
  const auto is_call = [](const XmlElement& child) { return child.name.starts_with("xacro:"); };
  const auto call = std::find_if(element.children.begin(), element.children.end(), is_call);
  try {
    return assemble(robot, context);
  } catch (const ModelError&) {
    if (call == element.children.end()) throw;
    fail_as_xacro(call->where(), "<" + call->name + ">");
  }
}

// Those of Gazebo, <gazebo reference="link"><sensor/></gazebo>, and of ROS, <sensor><parent link="link"/></sensor>.
std::vector<Sensor> sensors_of(const XmlElement& element) {
  std::vector<Sensor> out;
  const auto add = [&out](const XmlElement& sensor, const std::string& link) {
    out.push_back({sensor.text("name", ""), sensor.where(), sensor.text("type", ""), link.empty() ? "" : "link", link});
  };
  for (const XmlElement& child : element.children) {
    if (child.name == "sensor") {
      const XmlElement* parent = child.child("parent");
      add(child, parent ? parent->text("link", "") : "");
    }
    if (child.name != "gazebo") continue;
    for (const XmlElement& sensor : child.children) {
      if (sensor.name == "sensor") add(sensor, child.text("reference", ""));
    }
  }
  return out;
}

Scene read_element(const XmlElement& element, const std::string& folder, const LoadOptions& options) {
  check_root(element);
  UrdfContext context;
  context.folder = folder;
  context.options = options;
  for (const XmlElement& child : element.children) {
    // What is left out anyway may hold what it likes.
    const bool used = child.name == "link" || child.name == "joint" || child.name == "material";
    if (used || defines_by_xacro(child)) refuse_xacro(child);
  }
  UrdfRobot robot = read_robot(element, context);
  robot.where = element.where();
  Scene scene = assemble_without_macros(element, robot, context);
  scene.name = element.text("name", "");
  scene.sensors = sensors_of(element);
  if (options.repair) {
    for (Body& body : scene.bodies) body.robot = 1;
  }
  scene.warnings = std::move(context.warnings);
  return scene;
}

}  // namespace

Scene read_urdf(const std::string& file, const LoadOptions& options) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  Scene scene = read_element(load_xml(file), folder.empty() ? "." : folder, options);
  scene.file = file;
  return scene;
}

Scene read_urdf_string(const std::string& text, const std::string& folder, const LoadOptions& options) {
  return read_element(parse_xml(text, ""), folder, options);
}

}  // namespace stickslip
