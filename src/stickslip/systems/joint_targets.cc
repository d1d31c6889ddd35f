#include "stickslip/systems/joint_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "stickslip/base/names.h"

namespace stickslip {

std::vector<JointPlace> joint_places(const Model& model, const std::vector<std::string>& joints) {
  std::vector<JointPlace> places;
  if (joints.empty()) {
    for (const JointInfo& joint : model.joints) {
      if (joint.nv == 1 && joint.nq == 1) places.push_back({joint.q_start, joint.v_start});
    }
    if (places.empty()) throw std::invalid_argument("the model has no joint with one degree of freedom to control");
    return places;
  }
  for (const std::string& name : joints) {
    const int index = model.find_joint(name);
    if (index < 0)
      throw std::invalid_argument(
          fmt::format("there is no joint named '{}'; {}", name, did_you_mean(name, model.joint_names())));
    const JointInfo& joint = model.joints[index];
    if (joint.nv != 1 || joint.nq != 1)
      throw std::invalid_argument(
          fmt::format("joint '{}' has {} degrees of freedom; a joint controller needs one each", name, joint.nv));
    places.push_back({joint.q_start, joint.v_start});
  }
  return places;
}

VectorXd one_a_joint(const VectorXd& numbers, size_t joints, const char* what) {
  const auto n = static_cast<Eigen::Index>(joints);
  if (numbers.size() == 1) return VectorXd::Constant(n, numbers[0]);
  if (numbers.size() != n)
    throw std::invalid_argument(fmt::format("{} has {} numbers, expected one or {}", what, numbers.size(), joints));
  return numbers;
}

std::vector<int> dofs_of(const std::vector<JointPlace>& places) {
  std::vector<int> dofs;
  for (const JointPlace& place : places) dofs.push_back(place.v);
  return dofs;
}

VectorXd limits_of(const Model& model, const std::vector<JointPlace>& places, const VectorXd& limits) {
  if (limits.size() == 0) return {};
  VectorXd out = VectorXd::Constant(model.nv, kInfinity);
  for (size_t i = 0; i < places.size(); ++i) out[places[i].v] = limits[static_cast<Eigen::Index>(i)];
  return out;
}

}  // namespace stickslip
