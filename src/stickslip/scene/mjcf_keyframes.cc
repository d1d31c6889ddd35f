#include <fmt/format.h>

#include "stickslip/scene/mjcf_options.h"

namespace stickslip::mjcf {
namespace {

struct Sizes {
  std::size_t q = 0, v = 0, mocap = 0;
};

Sizes count(const Scene& scene) {
  Sizes out;
  for (const Joint& joint : scene.joints) {
    if (joint.type == JointType::kFixed) continue;
    const bool free = joint.type == JointType::kFree, ball = joint.type == JointType::kBall;
    out.q += free ? 7 : ball ? 4 : 1;
    out.v += free ? 6 : ball ? 3 : 1;
  }
  for (const Body& body : scene.bodies) out.mocap += body.mocap ? 1 : 0;
  return out;
}

std::vector<double> exactly(const XmlElement& element, std::string_view attribute, std::size_t expected) {
  return element.numbers(attribute, expected, expected).value_or(std::vector<double>());
}

}  // namespace

void read_keyframes(Context& context, const XmlElement& root) {
  const Sizes sizes = count(context.scene);
  for (const XmlElement& section : root.children) {
    if (section.name != "keyframe") continue;
    for (const XmlElement& child : section.children) {
      if (child.name != "key") continue;
      Keyframe key;
      key.name = child.text("name", "");
      key.where = child.where();
      key.time = child.number("time", 0);
      key.q = exactly(child, "qpos", sizes.q);
      key.v = exactly(child, "qvel", sizes.v);
      key.ctrl = exactly(child, "ctrl", context.scene.actuators.size());
      key.mocap_position = exactly(child, "mpos", 3 * sizes.mocap);
      key.mocap_quaternion = exactly(child, "mquat", 4 * sizes.mocap);
      context.scene.keyframes.push_back(std::move(key));
    }
  }
}

}  // namespace stickslip::mjcf
