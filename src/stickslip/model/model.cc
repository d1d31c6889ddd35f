#include "stickslip/model/model.h"

namespace stickslip {
namespace {

template <typename Items>
int find_named(const Items& items, std::string_view name) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  names.reserve(items.size());
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

}  // namespace

int Model::find_body(std::string_view body) const { return find_named(bodies, body); }
int Model::find_joint(std::string_view joint) const { return find_named(joints, joint); }
int Model::find_frame(std::string_view frame) const { return find_named(frames, frame); }
int Model::find_actuator(std::string_view actuator) const { return find_named(actuators, actuator); }
std::vector<std::string> Model::body_names() const { return names_of(bodies); }
std::vector<std::string> Model::joint_names() const { return names_of(joints); }
std::vector<std::string> Model::frame_names() const { return names_of(frames); }
std::vector<std::string> Model::actuator_names() const { return names_of(actuators); }

const char* joint_type_name(JointType type) {
  using enum JointType;
  switch (type) {
    case kFixed:
      return "fixed";
    case kFree:
      return "free";
    case kBall:
      return "ball";
    case kRevolute:
      return "revolute";
    case kContinuous:
      return "continuous";
    case kPrismatic:
      return "prismatic";
    case kPlanar:
      return "planar";
    case kUniversal:
      return "universal";
    case kScrew:
      return "screw";
  }
  return "unknown";
}

double Model::total_mass() const {
  double mass = 0;
  for (size_t i = 1; i < bodies.size(); ++i) mass += bodies[i].inertia.mass;
  return mass;
}

}  // namespace stickslip
