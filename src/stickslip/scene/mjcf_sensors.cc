#include "stickslip/scene/mjcf_sensors.h"

#include <utility>

namespace stickslip::mjcf {
namespace {

constexpr std::string_view kObjects[] = {"site", "joint", "actuator", "tendon", "body",    "body1",
                                         "geom", "geom1", "camera",   "flex",   "subtree1"};

// Type and name; of two the first. Empty for what is measured of the whole model, such as a clock.
std::pair<std::string, std::string> object_of(const XmlElement& sensor) {
  if (const auto name = sensor.text("objname")) return {sensor.text("objtype", "object"), *name};
  for (const std::string_view attribute : kObjects) {
    const auto name = sensor.text(attribute);
    if (!name) continue;
    const std::size_t digits = attribute.ends_with('1') ? 1 : 0;
    return {std::string(attribute.substr(0, attribute.size() - digits)), *name};
  }
  return {};
}

}  // namespace

void read_sensors(Context& context, const XmlElement& root) {
  for (const XmlElement& section : root.children) {
    if (section.name != "sensor") continue;
    for (const XmlElement& sensor : section.children) {
      auto [type, object] = object_of(sensor);
      context.scene.sensors.push_back(
          {sensor.text("name", ""), sensor.where(), sensor.name, std::move(type), std::move(object)});
    }
  }
}

}  // namespace stickslip::mjcf
