#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "stickslip/convert/physical_inertia.h"
#include "stickslip/convert/yaml_sink.h"

namespace stickslip::convert {
namespace {

// How a body hangs in the scene, which decides what its keys may say.
struct Hanging {
  bool on_joint = false;        // other than a free one: placed by it
  const Joint* free = nullptr;  // an explicit free joint
};

std::unordered_map<std::string, Hanging> find_hanging(const Scene& scene) {
  std::unordered_map<std::string, Hanging> out;
  for (const Joint& joint : scene.joints) {
    Hanging& hanging = out[joint.child];
    if (joint.type == JointType::kFree) {
      hanging.free = &joint;
    } else {
      hanging.on_joint = true;
    }
  }
  return out;
}

YamlText inertia_text(const Matrix3d& I) {
  YamlText out = YamlText::map();
  out.set("ixx", YamlText::number(I(0, 0))).set("iyy", YamlText::number(I(1, 1))).set("izz", YamlText::number(I(2, 2)));
  set_number(out, "ixy", I(0, 1), 0);
  set_number(out, "ixz", I(0, 2), 0);
  set_number(out, "iyz", I(1, 2), 0);
  return out;
}

Matrix3d inertia_to_write(YamlSink& sink, const Body& body) {
  const Matrix3d& I = body.inertia.inertia;
  if (is_physical(I) && I.diagonal().minCoeff() >= 0) return I;
  const PhysicalInertia repaired = physical_inertia(I);
  sink.notes.add("repaired-inertia", body.where,
                 fmt::format("'{}' by {:.2g} of its largest moment", body.name, repaired.change),
                 "inertias that belong to no real matter are replaced by the nearest that do");
  return repaired.axes * repaired.moments.asDiagonal() * repaired.axes.transpose();
}

// Mass, centre and inertia are all written out, so that the reader takes nothing from the geometry.
void set_matter(YamlSink& sink, const Body& body, YamlText& out) {
  const MassProperties& matter = body.inertia;
  const bool stands = body.fixed || body.mocap || body.motion;
  if (stands && matter.mass == 0) return;
  out.set("mass", YamlText::number(matter.mass));
  if (!matter.center.isZero(0)) out.set("center", YamlText::vector(matter.center));
  const Matrix3d inertia = inertia_to_write(sink, body);
  if (!inertia.isZero(0) || !body.geometry.empty()) out.set("inertia", inertia_text(inertia));
}

void set_start(const Body& body, const Hanging& hanging, YamlText& out) {
  if (hanging.on_joint) return;
  if (hanging.free && !hanging.free->position.empty()) return;  // the joint says where
  set_pose(out, "pose", body.pose);
  if (hanging.free && !hanging.free->velocity.empty()) return;
  YamlText velocity = YamlText::map();
  if (!body.linear_velocity.isZero(0)) velocity.set("linear", YamlText::vector(body.linear_velocity));
  if (!body.angular_velocity.isZero(0)) velocity.set("angular", YamlText::vector(body.angular_velocity));
  if (!velocity.empty()) out.set("velocity", velocity);
}

void set_geometry(YamlSink& sink, const std::vector<Geometry>& geometry, size_t body, YamlText& out) {
  YamlText list = YamlText::list();
  for (size_t i = 0; i < geometry.size(); ++i) {
    list.add(yaml_geometry(sink, geometry[i], sink.surfaces.of_geometry[body][i]));
  }
  if (geometry.size() > 1) list.block();
  if (!list.empty()) out.set("geometry", list);
}

YamlText body_text(YamlSink& sink, size_t index, const Hanging& hanging) {
  const Body& body = sink.scene.bodies[index];
  YamlText out = YamlText::map();
  out.block();
  out.set("name", YamlText::text(body.name));
  if (body.fixed) out.set("fixed", YamlText::flag(true));
  if (body.mocap) out.set("mocap", YamlText::flag(true));
  set_matter(sink, body, out);
  set_number(out, "gravity_scale", body.gravity_scale, 1);
  set_start(body, hanging, out);
  if (body.motion) out.set("motion", yaml_motion(*body.motion, false));
  set_geometry(sink, body.geometry, index + 1, out);
  return out;
}

}  // namespace

YamlText yaml_bodies(YamlSink& sink) {
  const std::unordered_map<std::string, Hanging> hanging = find_hanging(sink.scene);
  YamlText out = YamlText::list();
  for (size_t i = 0; i < sink.scene.bodies.size(); ++i) {
    const auto found = hanging.find(sink.scene.bodies[i].name);
    out.add(body_text(sink, i, found == hanging.end() ? Hanging{} : found->second));
  }
  if (sink.world_body.empty()) return out;
  YamlText ground = YamlText::map();
  ground.block().set("name", YamlText::text(sink.world_body)).set("fixed", YamlText::flag(true));
  set_geometry(sink, sink.scene.world_geometry, 0, ground);
  out.add(ground);
  return out;
}

}  // namespace stickslip::convert
