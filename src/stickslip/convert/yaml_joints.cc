#include <algorithm>
#include <unordered_set>

#include "stickslip/convert/yaml_sink.h"

namespace stickslip::convert {
namespace {

bool has_one_dof(JointType type) {
  return type == JointType::kRevolute || type == JointType::kContinuous || type == JointType::kPrismatic ||
         type == JointType::kScrew;
}

// In MJCF a static body collides with what it carries; in scene files only the world does. So what it carries is hung
// on the world, at the same place.
class StaticParents {
 public:
  explicit StaticParents(const Scene& scene) {
    for (const Material& material : scene.materials) {
      if (material.mjcf) mjcf_.insert(material.name);
    }
  }

  bool collides_with_children(const BodyInfo& body) const {
    const auto from_mjcf = [&](const Geometry& g) { return mjcf_.contains(g.material); };
    return body.link == 0 && std::any_of(body.geometry.begin(), body.geometry.end(), from_mjcf);
  }

 private:
  std::unordered_set<std::string> mjcf_;
};

void set_parent(YamlSink& sink, const StaticParents& static_parents, const Joint& joint, bool is_first, YamlText& out) {
  const int index = sink.model.find_body(joint.parent);
  const BodyInfo& parent = sink.model.bodies[index];
  const bool moves = joint.type != JointType::kFixed && joint.type != JointType::kFree;
  Pose pose = joint.pose;
  if (index != 0 && moves && sink.scene.filter_parent_child && static_parents.collides_with_children(parent)) {
    sink.notes.add("hung-on-world", joint.where, "joint '" + joint.name + "'",
                   "in MJCF a static body collides with what it carries: its joints hang on the world instead");
    // The later joints of a body are placed in the body itself.
    if (is_first) pose = parent.X_LB * pose;
  } else if (index != 0) {
    out.set("parent", YamlText::text(joint.parent));
  }
  out.set("child", YamlText::text(joint.child));
  set_pose(out, "pose", pose);
  set_pose(out, "child_pose", joint.child_pose);
}

void set_axes(const Joint& joint, YamlText& out) {
  using enum JointType;
  if (joint.type == kFixed || joint.type == kFree || joint.type == kBall) return;
  if (joint.axis != Vector3d::UnitZ()) out.set("axis", YamlText::vector(joint.axis));
  if (joint.type == kUniversal) out.set("axis2", YamlText::vector(joint.axis2));
  if (joint.type == kScrew) out.set("pitch", YamlText::number(joint.pitch));
}

YamlText number_or_list(const std::vector<double>& x) {
  return x.size() == 1 ? YamlText::number(x[0]) : YamlText::numbers(x);
}

void set_start(const YamlSink& sink, const Joint& joint, YamlText& out) {
  if (joint.motion) return;
  if (!joint.position.empty()) out.set("position", number_or_list(joint.position));
  if (!joint.velocity.empty()) {
    out.set("velocity", number_or_list(joint.velocity));
  } else if (joint.type == JointType::kFree && !joint.position.empty()) {
    // The body's own velocity goes with its pose, which is not written where the joint has a position.
    const JointInfo& info = sink.model.joints[sink.model.find_joint(joint.name)];
    const VectorXd v = sink.model.v0.segment(info.v_start, info.nv);
    if (!v.isZero(0)) out.set("velocity", YamlText::numbers(v.data(), static_cast<size_t>(v.size())));
  }
}

void set_limits(const Joint& joint, YamlText& out) {
  YamlText limits = YamlText::range(joint.limits);
  if (joint.velocity_limit < kInfinity) limits.set("velocity", YamlText::number(joint.velocity_limit));
  if (joint.effort_limit < kInfinity) limits.set("effort", YamlText::number(joint.effort_limit));
  if (!limits.empty()) out.set("limits", limits);
}

void set_forces(YamlSink& sink, const Joint& joint, YamlText& out) {
  set_number(out, "damping", joint.damping, 0);
  set_number(out, "armature", joint.armature, 0);
  set_number(out, "dry_friction", joint.dry_friction, 0);
  if (joint.type == JointType::kFree) {
    if (joint.stiffness != 0) {
      sink.notes.add("free-spring", joint.where, "joint '" + joint.name + "'", "springs of free joints are left out");
    }
    return;
  }
  set_number(out, "stiffness", joint.stiffness, 0);
  if (has_one_dof(joint.type)) {
    set_number(out, "reference", joint.reference, 0);
    set_number(out, "spring_reference", joint.spring_reference, joint.reference);
  }
  set_limits(joint, out);
  if (joint.motion) out.set("motion", yaml_motion(*joint.motion, true));
}

}  // namespace

YamlText yaml_motion(const Motion& motion, bool of_joint) {
  YamlText out = YamlText::map();
  if (!of_joint) {
    out.set("axis", YamlText::vector(motion.axis));
    if (motion.rotates) out.set("rotate", YamlText::flag(true));
  }
  if (motion.kind == Motion::Kind::kConstant) out.set("velocity", YamlText::number(motion.velocity));
  if (motion.kind == Motion::Kind::kSine) {
    out.set("amplitude", YamlText::number(motion.amplitude)).set("frequency", YamlText::number(motion.frequency));
    set_number(out, "phase", motion.phase, 0);
  }
  if (motion.kind == Motion::Kind::kTable) {
    YamlText rows = YamlText::list();
    for (size_t i = 0; i < motion.times.size(); ++i) rows.add(YamlText::numbers({motion.times[i], motion.values[i]}));
    out.set("table", rows);
  }
  return out;
}

YamlText yaml_joints(YamlSink& sink) {
  const StaticParents static_parents(sink.scene);
  std::unordered_set<std::string> moved;  // bodies whose first joint is written
  YamlText out = YamlText::list();
  for (const Joint& joint : sink.scene.joints) {
    YamlText text = YamlText::map();
    text.set("name", YamlText::text(joint.name));
    text.set("type", YamlText::text(joint_type_name(joint.type)));
    set_parent(sink, static_parents, joint, moved.insert(joint.child).second, text);
    set_axes(joint, text);
    if (joint.type != JointType::kFixed) {
      set_start(sink, joint, text);
      set_forces(sink, joint, text);
    }
    out.add(text);
  }
  return out;
}

}  // namespace stickslip::convert
