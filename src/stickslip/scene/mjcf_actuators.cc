#include "stickslip/scene/mjcf_actuators.h"

#include <fmt/format.h>

#include <cmath>

#include "stickslip/scene/mjcf_joints.h"
#include "stickslip/scene/mjcf_reflected.h"
#include "stickslip/scene/mjcf_servo.h"

namespace stickslip::mjcf {
namespace {

class ActuatorReader {
 public:
  explicit ActuatorReader(Context& context) : context_(context), scene_(context.scene) {}

  void read(const XmlElement& root) {
    const Reference references[] = {{"joint", &context_.joints},    {"jointinparent", &context_.joints},
                                    {"tendon", &context_.tendons},  {"site", &context_.sites},
                                    {"cranksite", &context_.sites}, {"body", &context_.bodies}};
    for (const Copy& copy : copies_in(root, "actuator", references)) read_copy(*copy.element, copy.suffix);
    resolve_damping_ratios();
  }

 private:
  // Damping ratios need the inertia with every actuator's armature, so they come last.
  void resolve_damping_ratios() {
    if (damping_ratios_.empty()) return;
    ReflectedInertia reflected(context_);
    for (const auto& [index, ratio] : damping_ratios_) {
      Actuator& actuator = scene_.actuators[index];
      const double mass = reflected.along(transmission(actuator));
      actuator.bias[2] = -2 * ratio * std::sqrt(actuator.gain[0] * mass);
    }
  }

  void read_copy(const XmlElement& element, const std::string& suffix) {
    const MjcfElement view = context_.defaults.resolve(element, "actuator");
    Servo servo;
    for (auto layer = view.layers().rbegin(); layer != view.layers().rend(); ++layer) servo.apply(**layer);
    Actuator actuator;
    actuator.where = element.where();
    actuator.type = element.name;
    const std::string base = element.text("name", "");
    actuator.name = base.empty() ? fmt::format("actuator_{}", scene_.actuators.size()) : base + suffix;
    const std::string problem = connect(view, suffix, actuator);
    if (!problem.empty() || !is_affine(servo)) {
      context_.warn_once("unsupported-actuator", element.where(),
                         fmt::format("actuators {} are not supported: their controls act on nothing",
                                     problem.empty() ? fmt::format("of kind <{}>", element.name) : problem));
      add_idle(view, std::move(actuator), controls_of(view, servo));
      return;
    }
    set_force(view, servo, actuator);
    set_limits(view, servo, actuator);
    add_reflected(view, actuator);
    if (servo.damping_ratio() > 0) damping_ratios_.emplace_back(scene_.actuators.size(), servo.damping_ratio());
    scene_.actuators.push_back(std::move(actuator));
  }

  // MuJoCo's controls keep their places, whether they act or not. A second and third are named after the first.
  void add_idle(const MjcfElement& view, Actuator actuator, int controls) {
    actuator.joint.clear();
    actuator.tendon.clear();
    if (controls == 1) actuator.control_limits = read_limits(view, context_.compiler, "ctrlrange", "ctrllimited");
    for (int k = 0; k < controls; ++k) {
      scene_.actuators.push_back(actuator);
      if (k > 0) scene_.actuators.back().name = fmt::format("{}[{}]", actuator.name, k);
    }
  }

  // How many controls MuJoCo gives an actuator: one, but for those that follow several wishes at once.
  static int controls_of(const MjcfElement& view, const Servo& servo) {
    const std::string& kind = view.own().name;
    const auto is = [&](std::string_view element, std::string_view gain) {
      return kind == element || (kind == "general" && servo.gain_type == gain);
    };
    const std::vector<std::string> inputs = split_words(view.text("input", ""));
    if (is("orientation", "so3")) return inputs == std::vector<std::string>{"quat"} ? 4 : 3;
    if (!is("pid", "pid") && !is("dcmotor", "dcmotor")) return 1;
    if (inputs == std::vector<std::string>{"none"}) return 0;
    if (!inputs.empty()) return static_cast<int>(inputs.size());
    return is("pid", "pid") ? 2 : 1;
  }

  static bool is_affine(const Servo& servo) {
    return (servo.gain_type == "fixed" || servo.gain_type == "affine") &&
           (servo.bias_type == "none" || servo.bias_type == "affine") && servo.dynamics != "pid" &&
           servo.dynamics != "dcmotor" && servo.dynamics != "muscle" && servo.dynamics != "user";
  }

  // Finds what the actuator acts on; returns the words for what is not supported.
  std::string connect(const MjcfElement& view, const std::string& suffix, Actuator& out) const {
    const std::string& kind = view.own().name;
    for (const char* other : {"pid", "orientation", "dcmotor", "plugin"}) {
      if (kind == other) return fmt::format("of kind <{}>", kind);
    }
    if (view.has("joint") || view.has("jointinparent")) return connect_joint(view, suffix, out);
    if (view.has("tendon")) {
      const std::string name = view.text("tendon", "");
      if (context_.unsupported_tendons.contains(name)) return "on spatial tendons";
      out.tendon = with_suffix(context_.tendons, name, suffix);
      context_.tendons.find(out.tendon, view.where("tendon"));
      return "";
    }
    for (const char* target : {"site", "body", "cranksite"}) {
      if (view.has(target)) return fmt::format("with '{}'", target);
    }
    throw ModelError("missing-attribute", view.where(), "an actuator needs something to act on", "",
                     "add joint=\"...\" or tendon=\"...\"");
  }

  std::string connect_joint(const MjcfElement& view, const std::string& suffix, Actuator& out) const {
    const char* attribute = view.has("joint") ? "joint" : "jointinparent";
    out.joint = with_suffix(context_.joints, view.text(attribute, ""), suffix);
    const Joint& joint = scene_.joints[context_.joints.find(out.joint, view.where(attribute))];
    const bool rotates_freely = joint.type == JointType::kBall || joint.type == JointType::kFree;
    return rotates_freely && !view.has("joint") ? "with 'jointinparent' on ball and free joints" : "";
  }

  void set_force(const MjcfElement& view, const Servo& servo, Actuator& out) {
    const bool affine_gain = servo.gain_type == "affine", affine_bias = servo.bias_type == "affine";
    out.gain = {servo.gain[0], affine_gain ? servo.gain[1] : 0, affine_gain ? servo.gain[2] : 0};
    out.bias = affine_bias ? std::array{servo.bias[0], servo.bias[1], servo.bias[2]} : std::array{0.0, 0.0, 0.0};
    view.overlay("gear", out.gear);
    if (servo.dynamics == "none") return;
    context_.warn_once("unsupported-actuator-dynamics", out.where,
                       servo.dynamics == "integrator"
                           ? "integrating actuators have no state here: the control is the integrated value itself"
                           : "filtered actuators have no state here: the control acts at once");
  }

  void set_limits(const MjcfElement& view, const Servo& servo, Actuator& out) const {
    // An integrating servo inherits the range of its state, which is not the control.
    if (servo.inherit_range > 0 && out.type != "intvelocity") {
      out.control_limits = inherited_range(view, servo.inherit_range, out);
    } else if (!servo.ignores_ctrlrange) {
      out.control_limits = read_limits(view, context_.compiler, "ctrlrange", "ctrllimited");
    }
    if (out.type == "damper") out.control_limits = damper_range(view);
    out.force_limits = read_limits(view, context_.compiler, "forcerange", "forcelimited");
  }

  // Dampers are limited whatever ctrllimited says.
  static Range damper_range(const MjcfElement& view) {
    const std::vector<double> range = view.numbers("ctrlrange", 2, 2).value_or(std::vector<double>{-1, -1});
    if (range[0] < 0 || range[1] <= range[0]) {
      throw ModelError("bad-range", view.where("ctrlrange"), "a damper's control must not be negative",
                       view.text("ctrlrange", ""), "give a ctrlrange from zero or more, such as \"0 1\"");
    }
    return {range[0], range[1]};
  }

  Range inherited_range(const MjcfElement& view, double scale, const Actuator& actuator) const {
    const Range target = actuator.joint.empty() ? scene_.tendons[context_.tendons.index.at(actuator.tendon)].limits
                                                : scene_.joints[context_.joints.index.at(actuator.joint)].limits;
    if (!std::isfinite(target.lower) || !std::isfinite(target.upper)) {
      throw ModelError("missing-range", view.where("inheritrange"),
                       fmt::format("actuator '{}' inherits its range from something without one", actuator.name), "",
                       "give the joint or tendon a range, or the actuator a ctrlrange");
    }
    const double middle = (target.lower + target.upper) / 2;
    const double half = scale * (target.upper - target.lower) / 2;
    return {middle - half, middle + half};
  }

  // An actuator's own damping and armature, seen through its gear.
  void add_reflected(const MjcfElement& view, const Actuator& actuator) {
    const auto damping = view.numbers("damping", 1, 3);
    const double armature = view.number("armature", 0);
    if (!damping && armature == 0) return;
    const double gear = actuator.gear[0] * actuator.gear[0];
    const double linear = damping ? (*damping)[0] : 0;
    if (!actuator.joint.empty()) {
      Joint& joint = scene_.joints[context_.joints.index.at(actuator.joint)];
      joint.damping += gear * linear;
      joint.armature += gear * armature;
    } else {
      scene_.tendons[context_.tendons.index.at(actuator.tendon)].damping += gear * linear;
      if (armature != 0) {
        context_.warn_once("unsupported-attribute", view.where("armature"), "armature of tendons is not supported");
      }
    }
  }

  std::vector<std::pair<std::size_t, double>> transmission(const Actuator& actuator) const {
    const double gear = actuator.gear[0];
    if (!actuator.joint.empty()) return {{context_.joints.index.at(actuator.joint), gear}};
    std::vector<std::pair<std::size_t, double>> out;
    for (const Tendon::Term& term : scene_.tendons[context_.tendons.index.at(actuator.tendon)].terms) {
      out.emplace_back(context_.joints.index.at(term.joint), gear * term.coefficient);
    }
    return out;
  }

  Context& context_;
  Scene& scene_;
  std::vector<std::pair<std::size_t, double>> damping_ratios_;  // by actuator
};

}  // namespace

void read_actuators(Context& context, const XmlElement& root) { ActuatorReader(context).read(root); }

}  // namespace stickslip::mjcf
