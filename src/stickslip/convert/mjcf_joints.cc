#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

const char* type_name(MjcfJointType type) {
  constexpr const char* kNames[]{"free", "ball", "slide", "hinge"};
  return kNames[static_cast<int>(type)];
}

void set_forces(const MjcfSink& sink, const MjcfJoint& joint, pugi::xml_node node) {
  const Joint& source = *joint.source;
  if (joint.is_advance) return;  // all that acts on a screw acts on its angle
  set_number(node, "damping", source.damping, 0);
  set_number(node, "stiffness", source.stiffness, 0);
  set_number(node, "armature", source.armature, 0);
  set_number(node, "frictionloss", source.dry_friction, 0);
  const bool one_dof = joint.type == MjcfJointType::kSlide || joint.type == MjcfJointType::kHinge;
  if (one_dof) set_number(node, "springref", sink.model.q_spring[joint.q_start], 0);
}

// MuJoCo wants the lower end of a range below the upper: a joint that may not move is held by an equality.
void hold(MjcfSink& sink, const MjcfJoint& joint) {
  sink.notes.add("held-joint", joint.source->where, "joint '" + joint.name + "'",
                 "joints whose limits leave no room are held by an equality constraint");
  pugi::xml_node node = sink.out.equality.append_child("joint");
  set_text(node, "joint1", joint.name);
  set_numbers(node, "polycoef", {joint.source->limits.lower - joint.reference, 0, 0, 0, 0});
}

void set_limits(MjcfSink& sink, const MjcfJoint& joint, pugi::xml_node node) {
  const Joint& source = *joint.source;
  if (joint.is_advance || source.type == JointType::kFree) return;
  if (joint.type == MjcfJointType::kBall) {
    if (source.limits.upper < kInfinity) set_range(node, "range", {0, source.limits.upper});
  } else if (source.limits.lower < source.limits.upper) {
    set_range(node, "range", source.limits);
  } else {
    hold(sink, joint);
  }
  const bool one_dof = sink.model.joints[joint.joint].nv == 1;
  if (one_dof && source.effort_limit < kInfinity) {
    set_range(node, "actuatorfrcrange", {-source.effort_limit, source.effort_limit});
  }
  if (source.velocity_limit < kInfinity) {
    sink.notes.add("velocity-limit", source.where, "joint '" + source.name + "'",
                   "velocity limits are left out: MuJoCo has none");
  }
}

// A screw's slide follows its hinge: s = pitch (q - reference).
void couple_advance(MjcfSink& sink, const MjcfJoint& slide, const std::string& hinge) {
  pugi::xml_node node = sink.out.equality.append_child("joint");
  set_text(node, "joint1", slide.name);
  set_text(node, "joint2", hinge);
  set_numbers(node, "polycoef", {0, slide.source->pitch, 0, 0, 0});
}

}  // namespace

void write_joints(MjcfSink& sink, const MjcfBody& body, pugi::xml_node node) {
  for (const MjcfJoint& joint : body.joints) {
    pugi::xml_node out = node.append_child(joint.type == MjcfJointType::kFree && !joint.source ? "freejoint" : "joint");
    set_text(out, "name", joint.name);
    if (!joint.source) continue;
    set_text(out, "type", type_name(joint.type));
    if (joint.type != MjcfJointType::kFree) {
      if (!joint.anchor.isZero(0)) set_vector(out, "pos", joint.anchor);
      if (joint.type != MjcfJointType::kBall) set_vector(out, "axis", joint.axis);
      set_number(out, "ref", joint.reference, 0);
      set_limits(sink, joint, out);
    }
    set_forces(sink, joint, out);
    if (joint.is_advance) couple_advance(sink, joint, joint.source->name);
  }
}

}  // namespace stickslip::convert
