#pragma once

#include "stickslip/geometry/collision_model.h"
#include "stickslip/systems/system.h"

namespace stickslip {

struct SuctionOptions {
  std::string gripper = {};           // body
  Vector3d point = Vector3d::Zero();  // of the suction cup, gripper's frame [m]
  std::string target = {};            // body with geometry that collides
  double force = 0;                   // F, at contact [N]
  double distance = 1e-3;             // d0, at which the force has halved [m]
  double range = kInfinity;           // beyond it there is no force [m]
  bool implicit = true;
  std::string name = "suction";
};

// Pulls a point of a gripper and the surface of a target together, along the line to the nearest point, equal and
// opposite: F/(1 + d/d0) at the distance d.        CENIC VII-D1
class Suction final : public System {
 public:
  // Throws std::invalid_argument for bodies that do not exist or have no geometry, and for numbers that make no sense.
  Suction(const Model& model, const SuctionOptions& options);

  bool implicit() const override { return options_.implicit; }
  std::vector<int> dofs(const Model&) const override { return dofs_; }
  std::unique_ptr<Scratch> make_scratch(const Model&) const override;
  void output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const override;

 private:
  SuctionOptions options_;
  int gripper_ = 0, target_ = 0;  // bodies
  std::vector<CollisionGeometry> geometries_;
  Collider point_;
  std::vector<int> dofs_;
};

}  // namespace stickslip
