#include "stickslip/model/coordinate_names.h"

namespace stickslip {
namespace {

using Words = std::vector<const char*>;

const Words& position_words(JointType type) {
  static const Words free{"x", "y", "z", "qw", "qx", "qy", "qz"}, ball{"qw", "qx", "qy", "qz"},
      planar{"x", "y", "angle"}, universal{"q1", "q2"}, one{"q"};
  switch (type) {
    case JointType::kFree:
      return free;
    case JointType::kBall:
      return ball;
    case JointType::kPlanar:
      return planar;
    case JointType::kUniversal:
      return universal;
    default:
      return one;
  }
}

const Words& velocity_words(JointType type) {
  static const Words free{"vx", "vy", "vz", "wx", "wy", "wz"}, ball{"wx", "wy", "wz"}, planar{"vx", "vy", "w"},
      universal{"v1", "v2"}, one{"v"};
  switch (type) {
    case JointType::kFree:
      return free;
    case JointType::kBall:
      return ball;
    case JointType::kPlanar:
      return planar;
    case JointType::kUniversal:
      return universal;
    default:
      return one;
  }
}

}  // namespace

std::vector<std::string> position_names(const Model& model) {
  std::vector<std::string> out(static_cast<size_t>(model.nq));
  for (const JointInfo& joint : model.joints) {
    for (int i = 0; i < joint.nq; ++i) out[joint.q_start + i] = joint.name + "." + position_words(joint.type)[i];
  }
  return out;
}

std::vector<std::string> velocity_names(const Model& model) {
  std::vector<std::string> out(static_cast<size_t>(model.nv));
  for (const JointInfo& joint : model.joints) {
    for (int i = 0; i < joint.nv; ++i) out[joint.v_start + i] = joint.name + "." + velocity_words(joint.type)[i];
  }
  return out;
}

}  // namespace stickslip
