#pragma once

#include "stickslip/systems/joint_controller.h"

namespace stickslip {

// A PD controller whose targets come from a table, straight lines between its rows; before the first and after the last
// it holds them. The options' targets are not used.
class TrajectoryReplay final : public JointController {
 public:
  // `times`: ascending [s]; `positions`: a row a time, a column a joint. Throws std::invalid_argument if they do not
  // fit.
  TrajectoryReplay(const Model& model, const JointControllerOptions& options, VectorXd times, MatrixXd positions);

  double resolution() const override { return kDefaultResolution; }  // the table's corners
  void output(const SystemInput& input, Scratch*, VectorXd& tau) const override;
  bool jacobians(const SystemInput& input, Scratch*, SystemJacobians& out) const override;

 private:
  struct Place {
    Eigen::Index row = 0;
    double part = 0;      // of the way to the next row
    double duration = 0;  // of that way; 0 where the table is held
  };
  Place find(double time) const;
  double position(const Place& place, int joint) const;
  double velocity(const Place& place, int joint) const;

  VectorXd times_;
  MatrixXd positions_;
};

}  // namespace stickslip
