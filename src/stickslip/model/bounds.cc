#include "stickslip/model/bounds.h"

#include <fmt/format.h>

#include <cmath>

namespace stickslip {
namespace {

// False for NaN.
bool is_within(double x, double bound) { return std::abs(x) <= bound; }

// Whose numbers they are.
struct Owner {
  std::string body;
  Location where;
};

BadNumber bad_number(const Owner& owner, const std::string& what, double value, double bound) {
  return {"bad-value", owner.body, owner.where, fmt::format("{} is {}", what, value),
          std::isfinite(value) ? fmt::format("it must be within {:g}", bound) : "it must be a finite number"};
}

template <typename Numbers>
std::optional<BadNumber> find_beyond(const Numbers& x, const Owner& owner, const std::string& what) {
  for (Eigen::Index i = 0; i < x.size(); ++i)
    if (!is_within(x[i], kLargestMotion)) return bad_number(owner, what, x[i], kLargestMotion);
  return {};
}

template <typename Numbers>
bool are_within(const Numbers& x) {
  return x.size() == 0 || (x.cwiseAbs().array() <= kLargestMotion).all();
}

bool has_direction(const Eigen::Vector4d& quaternion) { return quaternion.norm() > kShortestQuaternion; }

BadNumber no_direction(const Owner& owner, const std::string& what) {
  return {"bad-quaternion", owner.body, owner.where, fmt::format("the quaternion of {} has length 0", what),
          "write w x y z with a direction; no rotation is 1 0 0 0"};
}

bool is_rotation(const JointInfo& joint) { return joint.type == JointType::kFree || joint.type == JointType::kBall; }

}  // namespace

std::optional<BadNumber> find_bad_time(double time) {
  if (is_within(time, kLargestTime)) return {};
  BadNumber bad = bad_number({}, "the time", time, kLargestTime);
  if (std::isfinite(time)) bad.fix += " s";
  return bad;
}

// Nothing is allocated for numbers that are good: each step asks.
std::optional<BadNumber> find_bad_position(const Model& model, const VectorXd& q) {
  for (const JointInfo& joint : model.joints) {
    const auto own = q.segment(joint.q_start, joint.nq);
    const bool points = !is_rotation(joint) || has_direction(q.segment<4>(joint.q_start + joint.nq - 4));
    if (points && are_within(own)) continue;
    const Owner owner{model.bodies[joint.child].name, joint.where};
    if (auto bad = find_beyond(own, owner, fmt::format("q of joint '{}'", joint.name))) return bad;
    return no_direction(owner, fmt::format("joint '{}'", joint.name));
  }
  return {};
}

std::optional<BadNumber> find_bad_velocity(const Model& model, const VectorXd& v) {
  for (const JointInfo& joint : model.joints) {
    const auto own = v.segment(joint.v_start, joint.nv);
    if (are_within(own)) continue;
    return find_beyond(own, {model.bodies[joint.child].name, joint.where}, fmt::format("v of joint '{}'", joint.name));
  }
  return {};
}

std::optional<BadNumber> find_bad_mocap(const Model& model, const VectorXd& mocap) {
  for (const BodyInfo& body : model.bodies) {
    if (body.mocap < 0) continue;
    const auto pose = mocap.segment<7>(Eigen::Index{7} * body.mocap);
    if (are_within(pose) && has_direction(pose.tail<4>())) continue;
    const Owner owner{body.name, body.where};
    if (auto bad = find_beyond(pose, owner, fmt::format("the pose of mocap body '{}'", body.name))) return bad;
    return no_direction(owner, fmt::format("mocap body '{}'", body.name));
  }
  return {};
}

}  // namespace stickslip
