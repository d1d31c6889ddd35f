#include "stickslip/view/command.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace stickslip::view {
namespace {

using Json = nlohmann::json;

std::optional<double> number(const Json& message, const char* key) {
  const auto found = message.find(key);
  if (found == message.end() || !found->is_number()) return {};
  const double x = found->get<double>();
  if (!std::isfinite(x)) return {};
  return x;
}

// An index that is not one of the model's is for the simulation to refuse.
std::optional<int> index(const Json& message, const char* key) {
  const std::optional<double> x = number(message, key);
  if (!x || *x < 0 || *x > std::numeric_limits<int>::max() || *x != std::floor(*x)) return {};
  return static_cast<int>(*x);
}

std::optional<Vector3d> vector(const Json& message, const char* key) {
  const auto found = message.find(key);
  if (found == message.end() || !found->is_array() || found->size() != 3) return {};
  Vector3d out;
  for (size_t i = 0; i < 3; ++i) {
    if (!(*found)[i].is_number()) return {};
    out[static_cast<Eigen::Index>(i)] = (*found)[i].get<double>();
  }
  if (!out.allFinite()) return {};
  return out;
}

Command with_numbers(const std::string& what, const Json& message) {
  if (what == "speed") {
    if (const auto speed = number(message, "value"); speed && *speed >= 1e-3 && *speed <= 1e3) return SetSpeed{*speed};
  } else if (what == "control") {
    const auto actuator = index(message, "index");
    const auto value = number(message, "value");
    // Frames could not tell it back: they have single precision.
    const bool is_shown = value && std::abs(*value) <= std::numeric_limits<float>::max();
    if (actuator && is_shown) return SetControl{*actuator, *value};
  } else if (what == "drag") {
    const auto body = index(message, "body");
    const auto point = vector(message, "point"), target = vector(message, "target");
    if (body && point && target) return Drag{*body, *point, *target};
  }
  return Nothing{};
}

}  // namespace

std::optional<Command> parse_command(std::string_view text) {
  // Nobody nests: what lies deeper is not kept.
  const auto shallow = [](int depth, Json::parse_event_t, const Json&) { return depth <= 2; };
  const Json message = Json::parse(text, shallow, false);
  if (!message.is_object()) return {};
  const auto found = message.find("do");
  if (found == message.end() || !found->is_string()) return Nothing{};
  const std::string what = found->get<std::string>();
  if (what == "ready") return Ready{};
  if (what == "play") return Play{};
  if (what == "pause") return Pause{};
  if (what == "step") return StepOnce{};
  if (what == "reset") return Reset{};
  if (what == "drop") return Drop{};
  return with_numbers(what, message);
}

}  // namespace stickslip::view
