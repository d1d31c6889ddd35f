#pragma once

#include <optional>
#include <string>

#include "stickslip/scene/scene.h"

namespace stickslip::convert {

// An actuator's gain and bias as one of the short forms that scene files and MJCF share:
//
//   motor: u      position: kp (u - l) - kd l'      velocity: kv (u - l')      damper: -kv l' u
//
// or "general". The word in the file is kept if it fits.
struct ActuatorLaw {
  std::string type = "general";
  double kp = 0, kd = 0, kv = 0;
};
ActuatorLaw actuator_law(const Actuator& actuator);

}  // namespace stickslip::convert
