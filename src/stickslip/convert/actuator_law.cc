#include "stickslip/convert/actuator_law.h"

#include <algorithm>
#include <array>

namespace stickslip::convert {
namespace {

using Triple = std::array<double, 3>;

std::optional<ActuatorLaw> as(const std::string& type, const Actuator& a) {
  const Triple none{0, 0, 0};
  if (type == "motor" && a.gain == Triple{1, 0, 0} && a.bias == none) return ActuatorLaw{.type = type};
  const double k = a.gain[0];
  if (type == "position" && k >= 0 && a.gain == Triple{k, 0, 0} && a.bias == Triple{0, -k, a.bias[2]} &&
      a.bias[2] <= 0) {
    return ActuatorLaw{.type = type, .kp = k, .kd = -a.bias[2]};
  }
  if (type == "velocity" && k >= 0 && a.gain == Triple{k, 0, 0} && a.bias == Triple{0, 0, -k}) {
    return ActuatorLaw{.type = type, .kv = k};
  }
  if (type == "damper" && a.gain[2] <= 0 && a.gain == Triple{0, 0, a.gain[2]} && a.bias == none) {
    return ActuatorLaw{.type = type, .kv = -a.gain[2]};
  }
  return {};
}

}  // namespace

ActuatorLaw actuator_law(const Actuator& actuator) {
  if (actuator.type == "general") return {};
  if (const auto law = as(actuator.type, actuator)) return *law;
  for (const char* type : {"motor", "position", "velocity", "damper"}) {
    if (const auto law = as(type, actuator)) return *law;
  }
  return {};
}

}  // namespace stickslip::convert
