#include "stickslip/systems/suction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stickslip/base/names.h"
#include "stickslip/dynamics/jacobian.h"
#include "stickslip/geometry/separation.h"

namespace stickslip {
namespace {

struct Memory final : System::Scratch {
  Kinematics kinematics;
  std::vector<JacobianColumn> columns;
};

int body_named(const Model& model, const std::string& name) {
  const int index = model.find_body(name);
  if (index < 0)
    throw std::invalid_argument(
        fmt::format("there is no body named '{}'; {}", name, did_you_mean(name, model.body_names())));
  return index;
}

void add_dofs(const Model& model, int link, std::vector<int>& dofs) {
  for (; link > 0; link = model.links[link].parent) {
    for (int k = 0; k < velocity_count(model.links[link].kind); ++k) dofs.push_back(model.links[link].v_start + k);
  }
}

Placed place(const CollisionGeometry& geometry, const Kinematics& kinematics) {
  const LinkPose& pose = kinematics.pose[geometry.link];
  return {&geometry.collider, pose.R * geometry.X_LG.rotation, pose.p + pose.R * geometry.X_LG.position};
}

void push(const SystemInput& input, Memory& memory, int link, const Vector3d& point, const Vector3d& force,
          VectorXd& tau) {
  jacobian_columns(input.model, memory.kinematics, link, point, memory.columns);
  for (const JacobianColumn& column : memory.columns) tau[column.v] += column.linear.dot(force);
}

}  // namespace

Suction::Suction(const Model& model, const SuctionOptions& options)
    : System(options.name),
      options_(options),
      gripper_(body_named(model, options.gripper)),
      target_(body_named(model, options.target)),
      point_(make_collider(Sphere{0})) {
  if (!(options.force >= 0) || !std::isfinite(options.force))
    throw std::invalid_argument(
        fmt::format("suction: force is {}, expected a finite number of newtons", options.force));
  if (!(options.distance > 0) || !(options.range > 0))
    throw std::invalid_argument("suction: distance and range must be positive");
  for (CollisionGeometry& geometry : make_collision_model(model).geometries) {
    if (geometry.body == target_) geometries_.push_back(std::move(geometry));
  }
  if (geometries_.empty())
    throw std::invalid_argument(fmt::format("suction: body '{}' has no geometry that collides", options.target));
  add_dofs(model, model.bodies[gripper_].link, dofs_);
  add_dofs(model, model.bodies[target_].link, dofs_);
  std::sort(dofs_.begin(), dofs_.end());
  dofs_.erase(std::unique(dofs_.begin(), dofs_.end()), dofs_.end());
  if (dofs_.empty()) throw std::invalid_argument("suction: neither of the two bodies can move");
}

std::unique_ptr<System::Scratch> Suction::make_scratch(const Model&) const { return std::make_unique<Memory>(); }

void Suction::output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const {
  auto& memory = static_cast<Memory&>(*scratch);
  compute_poses(input.model, input.state, memory.kinematics);
  const Pose gripper = body_pose(input.model, memory.kinematics, gripper_);
  const Placed cup{&point_, Matrix3d::Identity(), gripper.position + gripper.rotation * options_.point};
  Separation nearest;
  nearest.distance = kInfinity;
  for (const CollisionGeometry& geometry : geometries_) {
    const Separation found = separation(cup, place(geometry, memory.kinematics));
    if (found.distance < nearest.distance) nearest = found;
  }
  if (nearest.distance > options_.range) return;
  // Inside the target the cup is sealed: full force, against the way that contact pushes it out.
  const double distance = std::max(0.0, nearest.distance);
  const Vector3d force = options_.force / (1 + distance / options_.distance) * nearest.normal;
  push(input, memory, input.model.bodies[gripper_].link, cup.p, force, tau);
  push(input, memory, input.model.bodies[target_].link, nearest.point_b, -force, tau);
}

}  // namespace stickslip
