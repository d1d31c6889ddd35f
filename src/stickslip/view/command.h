#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "stickslip/math/types.h"

// What the page may ask of a live simulation.
namespace stickslip::view {

struct Ready {};  // the page shows its first picture
struct Play {};
struct Pause {};
struct StepOnce {};
struct Reset {};
struct SetSpeed {
  double speed = 1;  // simulated time for a second of ours
};
struct SetControl {
  int actuator = 0;
  double value = 0;
};
struct Drag {
  int body = 0;
  Vector3d point = Vector3d::Zero();   // body's frame
  Vector3d target = Vector3d::Zero();  // world
};
struct Drop {};
struct Nothing {};  // well-formed, but nothing we know

using Command = std::variant<Nothing, Ready, Play, Pause, StepOnce, Reset, SetSpeed, SetControl, Drag, Drop>;

// None: the text is not a message at all.
std::optional<Command> parse_command(std::string_view text);

}  // namespace stickslip::view
