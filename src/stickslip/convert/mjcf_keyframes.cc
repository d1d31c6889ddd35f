#include <algorithm>
#include <cmath>

#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

bool differs(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double kRoundOff = 1e-14;  // of quaternions, on their way through a matrix
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::abs(a[i] - b[i]) > kRoundOff) return true;
  }
  return false;
}

bool any(const std::vector<double>& x) {
  return std::any_of(x.begin(), x.end(), [](double value) { return value != 0; });
}

// Controls of the actuators that MuJoCo has.
std::vector<double> kept_controls(const MjcfSink& sink, const VectorXd& ctrl) {
  std::vector<double> out;
  for (size_t i = 0; i < sink.scene.actuators.size(); ++i) {
    const Actuator& actuator = sink.scene.actuators[i];
    const bool kept = sink.out.actuator.find_child_by_attribute("name", actuator.name.c_str());
    if (kept) out.push_back(ctrl[static_cast<Eigen::Index>(i)]);
  }
  return out;
}

struct Key {
  std::string name;
  double time = 0;
  const VectorXd *q, *v, *ctrl;
};

pugi::xml_node write_key(MjcfSink& sink, const Key& key) {
  pugi::xml_node node = sink.out.keyframe.append_child("key");
  if (!key.name.empty()) set_text(node, "name", key.name);
  set_number(node, "time", key.time, 0);
  const std::vector<double> v = sink.tree.qvel(*key.v), ctrl = kept_controls(sink, *key.ctrl);
  if (sink.model.nq > 0) set_numbers(node, "qpos", sink.tree.qpos(*key.q));
  if (any(v)) set_numbers(node, "qvel", v);
  if (any(ctrl)) set_numbers(node, "ctrl", ctrl);
  return node;
}

// Bodies with a prescribed motion are mocap bodies in MuJoCo, so they are counted too.
void set_mocap(const MjcfSink& sink, const VectorXd& mocap, pugi::xml_node node) {
  std::vector<double> positions, quaternions;
  for (const int index : sink.tree.order) {
    const MjcfBody& body = sink.tree.bodies[index];
    if (!body.mocap) continue;
    const int slot = sink.model.bodies[index].mocap;
    const Quaterniond q = body.X_PB.quaternion();
    VectorXd pose(7);
    pose << body.X_PB.position, q.w(), q.vec();
    if (slot >= 0) pose = mocap.segment<7>(7 * slot);
    positions.insert(positions.end(), pose.begin(), pose.begin() + 3);
    quaternions.insert(quaternions.end(), pose.begin() + 3, pose.end());
  }
  set_numbers(node, "mpos", positions);
  set_numbers(node, "mquat", quaternions);
}

void write_start(MjcfSink& sink) {
  const Model& model = sink.model;
  const bool moved = differs(sink.tree.qpos(model.q0), sink.tree.qpos0());
  if (!moved && model.v0.isZero(0) && model.ctrl0.isZero(0)) return;
  std::string name = "start";
  const auto taken = [&](const Keyframe& key) { return key.name == name; };
  while (std::any_of(sink.scene.keyframes.begin(), sink.scene.keyframes.end(), taken)) name += "_";
  sink.notes.add(
      "start-keyframe", {sink.scene.file, 0, 0}, "",
      "MuJoCo's models start at rest with joints at their reference: the scene's start is the keyframe '" + name + "'");
  write_key(sink, {name, 0, &model.q0, &model.v0, &model.ctrl0});
}

}  // namespace

void write_keyframes(MjcfSink& sink) {
  write_start(sink);
  for (size_t i = 0; i < sink.scene.keyframes.size(); ++i) {
    const Keyframe& source = sink.scene.keyframes[i];
    const KeyframeInfo& info = sink.model.keyframes[i];
    pugi::xml_node node = write_key(sink, {source.name, source.time, &info.q, &info.v, &info.ctrl});
    if (!source.mocap_position.empty() || !source.mocap_quaternion.empty()) set_mocap(sink, info.mocap, node);
  }
}

}  // namespace stickslip::convert
