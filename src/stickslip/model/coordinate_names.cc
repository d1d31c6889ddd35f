#include "stickslip/model/coordinate_names.h"

namespace stickslip {
namespace {

struct Words {
  std::vector<const char*> position, velocity;
};

const Words& words_of(JointType type) {
  static const Words free{{"x", "y", "z", "qw", "qx", "qy", "qz"}, {"vx", "vy", "vz", "wx", "wy", "wz"}},
      ball{{"qw", "qx", "qy", "qz"}, {"wx", "wy", "wz"}}, planar{{"x", "y", "angle"}, {"vx", "vy", "w"}},
      universal{{"q1", "q2"}, {"v1", "v2"}}, one{{"q"}, {"v"}};
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
    const Words& words = words_of(joint.type);
    for (int i = 0; i < joint.nq; ++i) out[joint.q_start + i] = joint.name + "." + words.position[i];
  }
  return out;
}

std::vector<std::string> velocity_names(const Model& model) {
  std::vector<std::string> out(static_cast<size_t>(model.nv));
  for (const JointInfo& joint : model.joints) {
    const Words& words = words_of(joint.type);
    for (int i = 0; i < joint.nv; ++i) out[joint.v_start + i] = joint.name + "." + words.velocity[i];
  }
  return out;
}

}  // namespace stickslip
