#include "stickslip/scene/mjcf_servo.h"

#include <numbers>

namespace stickslip::mjcf {

void Servo::apply(const XmlElement& layer) {
  const MjcfElement element(layer);
  if (layer.name != kind_ && layer.name != "general" && kind_ != "general") {
    const Servo fresh;
    dynamics_numbers = fresh.dynamics_numbers;
    gain = fresh.gain;
    bias = fresh.bias;
  }
  kind_ = layer.name;
  apply_force(element);
  apply_range(element);
}

void Servo::apply_force(const MjcfElement& element) {
  if (kind_ == "general") return apply_general(element);
  if (kind_ == "position" || kind_ == "intvelocity") return apply_position(element);
  if (kind_ == "cylinder") return apply_cylinder(element);
  dynamics = bias_type = "none";
  gain_type = "fixed";
  if (kind_ == "motor") gain = {1};
  if (kind_ == "velocity") {
    bias_type = "affine";
    gain[0] = element.number("kv", gain[0]);
    bias = {0, 0, -gain[0]};
  }
  if (kind_ == "damper") {
    gain_type = "affine";
    gain = {0, 0, element.has("kv") ? -element.number("kv", 0) : gain[2]};
  }
  if (kind_ == "muscle") dynamics = gain_type = bias_type = "muscle";
}

void Servo::apply_general(const MjcfElement& element) {
  dynamics = element.keyword(
      "dyntype", {"none", "integrator", "filter", "filterexact", "pid", "dcmotor", "muscle", "user"}, dynamics);
  gain_type = element.keyword("gaintype", {"fixed", "affine", "muscle", "dcmotor", "pid", "so3", "user"}, gain_type);
  bias_type = element.keyword("biastype", {"none", "affine", "muscle", "dcmotor", "so3", "user"}, bias_type);
  element.overlay("dynprm", dynamics_numbers);
  element.overlay("gainprm", gain);
  element.overlay("biasprm", bias);
}

void Servo::apply_position(const MjcfElement& element) {
  const bool filtered_before = dynamics == "filterexact";
  gain_type = "fixed";
  bias_type = "affine";
  gain[0] = element.number("kp", gain[0]);
  bias[0] = 0;
  bias[1] = -gain[0];
  if (const auto kv = element.number("kv")) bias[2] = -*kv;
  if (const auto ratio = element.number("dampratio")) bias[2] = *ratio;
  const auto filter = element.number("timeconst");
  if (filter) dynamics_numbers[0] = *filter;
  const bool filtered = filter ? *filter > 0 : filtered_before;
  dynamics = kind_ == "intvelocity" ? "integrator" : filtered ? "filterexact" : "none";
}

void Servo::apply_cylinder(const MjcfElement& element) {
  dynamics = "filter";
  gain_type = "fixed";
  bias_type = "affine";
  dynamics_numbers[0] = element.number("timeconst", dynamics_numbers[0]);
  gain[0] = element.number("area", gain[0]);
  if (const auto diameter = element.number("diameter"); diameter && *diameter > 0) {
    gain[0] = std::numbers::pi / 4 * *diameter * *diameter;
  }
  element.overlay("bias", bias);
}

void Servo::apply_range(const MjcfElement& element) {
  if (element.has("ctrlrange")) {
    ignores_ctrlrange = false;
    inherit_range = 0;
  }
  const bool can_inherit = kind_ == "general" || kind_ == "position" || kind_ == "intvelocity";
  if (!can_inherit) inherit_range = 0;
  if (can_inherit && element.has("inheritrange")) {
    inherit_range = element.number("inheritrange", 0);
    ignores_ctrlrange = inherit_range > 0;
  }
}

double Servo::damping_ratio() const {
  const bool position = gain_type == "fixed" && bias_type == "affine" && gain[0] == -bias[1];
  return position && bias[2] > 0 ? bias[2] : 0;
}

}  // namespace stickslip::mjcf
