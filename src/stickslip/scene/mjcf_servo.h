#pragma once

#include <array>
#include <string>

#include "stickslip/scene/mjcf_defaults.h"

namespace stickslip::mjcf {

// How an actuator makes force, in MuJoCo's general terms. Every shortcut (motor, position, ...) writes into the same
// numbers, and a default written with one shortcut reaches elements written with another: <general> takes over all of
// it, a different shortcut starts afresh.
struct Servo {
  std::string dynamics = "none", gain_type = "fixed", bias_type = "none";
  std::array<double, 10> dynamics_numbers{1}, gain{1}, bias{};
  double inherit_range = 0;        // scale of the target's range that becomes the control's
  bool ignores_ctrlrange = false;  // inheritrange was said after it

  // Takes over what an element or default says; general ones first.
  void apply(const XmlElement& layer);

  // The damping ratio of a position servo that has no velocity gain; MuJoCo keeps it in the gain's place, positive.
  double damping_ratio() const;

 private:
  void apply_force(const MjcfElement& element);
  void apply_general(const MjcfElement& element);
  void apply_position(const MjcfElement& element);
  void apply_cylinder(const MjcfElement& element);
  void apply_range(const MjcfElement& element);

  std::string kind_ = "general";
};

}  // namespace stickslip::mjcf
