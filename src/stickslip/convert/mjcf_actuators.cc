#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/convert/actuator_law.h"
#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

// What MuJoCo's actuator acts on. `node` is the actuator's.
class Transmission {
 public:
  Transmission(MjcfSink& sink, const Actuator& actuator) : sink_(sink), actuator_(actuator) {}

  bool write(pugi::xml_node node) {
    if (!actuator_.tendon.empty()) {
      set_text(node, "tendon", actuator_.tendon);
      set_number(node, "gear", actuator_.gear[0], 1);
      return true;
    }
    const int joint = sink_.model.find_joint(actuator_.joint);
    const std::vector<const MjcfJoint*> parts = sink_.parts(joint);
    if (parts.empty()) return refuse("actuators of prescribed joints are left out");
    const int nv = sink_.model.joints[joint].nv;
    if (nv > 1 && (actuator_.gain[1] != 0 || actuator_.bias[1] != 0)) note_length();
    const MjcfJointType type = parts[0]->type;
    if (nv == 1) return set_joint(node, parts[0]->name, {actuator_.gear[0]});
    if (type == MjcfJointType::kFree)
      return set_joint(node, parts[0]->name, {actuator_.gear.begin(), actuator_.gear.end()});
    if (type == MjcfJointType::kBall) return set_ball(node, *parts[0]);
    return set_several(node, parts);
  }

 private:
  bool refuse(const char* message) {
    sink_.notes.add("left-out-actuator", actuator_.where, "actuator '" + actuator_.name + "'", message);
    return false;
  }

  void note_length() {
    sink_.notes.add("actuator-length", actuator_.where, "actuator '" + actuator_.name + "'",
                    "the length that an actuator of several degrees of freedom sees is 0 here, not in MuJoCo");
  }

  static bool set_joint(pugi::xml_node node, const std::string& name, std::vector<double> gear) {
    set_text(node, "joint", name);
    while (gear.size() > 1 && gear.back() == 0) gear.pop_back();
    if (gear != std::vector<double>{1}) set_numbers(node, "gear", gear);
    return true;
  }

  bool set_ball(pugi::xml_node node, const MjcfJoint& ball) {
    const Vector3d gear = ball.R_BM * Vector3d(actuator_.gear[0], actuator_.gear[1], actuator_.gear[2]);
    return set_joint(node, ball.name, {gear.begin(), gear.end()});
  }

  // Slides and hinges of one joint are driven together through a tendon.
  bool set_several(pugi::xml_node node, const std::vector<const MjcfJoint*>& parts) {
    std::vector<const MjcfJoint*> driven;
    const int first = sink_.model.joints[parts[0]->joint].v_start;
    for (const MjcfJoint* part : parts) {
      const auto gear = actuator_.gear.begin() + (part->v_start - first);
      const bool ball = part->type == MjcfJointType::kBall;
      const bool pulled = std::any_of(gear, gear + (ball ? 3 : 1), [](double g) { return g != 0; });
      if (pulled && ball)
        return refuse("actuators that turn a free joint of other frames than the world's are left out");
      if (pulled) driven.push_back(part);
    }
    const std::string tendon = unused_name(sink_.tendon_names, actuator_.name + "_gear");
    pugi::xml_node fixed = sink_.out.tendon.append_child("fixed");
    set_text(fixed, "name", tendon);
    if (driven.empty()) driven.push_back(parts[0]);
    for (const MjcfJoint* part : driven) {
      pugi::xml_node term = fixed.append_child("joint");
      set_text(term, "joint", part->name);
      set_numbers(term, "coef", {actuator_.gear[static_cast<size_t>(part->v_start - first)]});
    }
    set_text(node, "tendon", tendon);
    return true;
  }

  MjcfSink& sink_;
  const Actuator& actuator_;
};

// MuJoCo has no actuator that acts on nothing: one without force on any joint keeps its place in ctrl.
bool write_idle(MjcfSink& sink, const Actuator& actuator) {
  for (size_t j = 0; j < sink.model.joints.size(); ++j) {
    const std::vector<const MjcfJoint*> parts = sink.parts(static_cast<int>(j));
    if (parts.empty()) continue;
    pugi::xml_node node = sink.out.actuator.append_child("general");
    set_text(node, "name", actuator.name);
    set_text(node, "joint", parts[0]->name);
    set_numbers(node, "gainprm", {0});
    set_range(node, "ctrlrange", actuator.control_limits);
    return true;
  }
  return false;
}

// MuJoCo's damper wants controls that are not negative; the general form says the same without.
void set_law(const Actuator& actuator, const ActuatorLaw& law, pugi::xml_node node) {
  if (law.type == "position") {
    set_numbers(node, "kp", {law.kp});
    set_number(node, "kv", law.kd, 0);
  } else if (law.type == "velocity") {
    set_numbers(node, "kv", {law.kv});
  } else if (law.type != "motor") {
    set_text(node, "gaintype", "affine");
    set_numbers(node, "gainprm", actuator.gain.data(), 3);
    set_text(node, "biastype", "affine");
    set_numbers(node, "biasprm", actuator.bias.data(), 3);
  }
}

}  // namespace

void write_actuators(MjcfSink& sink) {
  for (const Actuator& actuator : sink.scene.actuators) {
    if (actuator.is_idle()) {
      if (!write_idle(sink, actuator)) {
        sink.notes.add("left-out-actuator", actuator.where, "actuator '" + actuator.name + "'",
                       "an idle actuator needs some joint in MuJoCo, and there is none");
      }
      continue;
    }
    const ActuatorLaw law = actuator_law(actuator);
    const bool is_short = law.type == "motor" || law.type == "position" || law.type == "velocity";
    pugi::xml_node node = sink.out.actuator.append_child(is_short ? law.type.c_str() : "general");
    set_text(node, "name", actuator.name);
    if (!Transmission(sink, actuator).write(node)) {
      sink.out.actuator.remove_child(node);
      continue;
    }
    set_law(actuator, law, node);
    set_range(node, "ctrlrange", actuator.control_limits);
    set_range(node, "forcerange", actuator.force_limits);
  }
}

void write_tendons(MjcfSink& sink) {
  for (const Tendon& tendon : sink.scene.tendons) {
    pugi::xml_node node = sink.out.tendon.append_child("fixed");
    set_text(node, "name", tendon.name);
    set_number(node, "stiffness", tendon.stiffness, 0);
    set_number(node, "damping", tendon.damping, 0);
    set_number(node, "frictionloss", tendon.dry_friction, 0);
    if (tendon.stiffness != 0) set_range(node, "springlength", tendon.spring_rest);
    set_range(node, "range", tendon.limits);
    for (const Tendon::Term& term : tendon.terms) {
      pugi::xml_node joint = node.append_child("joint");
      set_text(joint, "joint", term.joint);
      set_numbers(joint, "coef", {term.coefficient});
    }
  }
}

}  // namespace stickslip::convert
