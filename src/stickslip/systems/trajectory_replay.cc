#include "stickslip/systems/trajectory_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "stickslip/model/bounds.h"

namespace stickslip {

TrajectoryReplay::TrajectoryReplay(const Model& model, const JointControllerOptions& options, VectorXd times,
                                   MatrixXd positions)
    : JointController(model, options, "trajectory replay"), times_(std::move(times)), positions_(std::move(positions)) {
  if (times_.size() == 0 || positions_.rows() != times_.size() || positions_.cols() != count())
    throw std::invalid_argument(fmt::format("a table of {} times needs {} x {} positions, given {} x {}", times_.size(),
                                            times_.size(), count(), positions_.rows(), positions_.cols()));
  const auto is_within = [](const auto& x, double bound) { return (x.array().abs() <= bound).all(); };
  if (!is_within(times_, kLargestTime) || !is_within(positions_, kLargestMotion))
    throw std::invalid_argument(
        fmt::format("the table of the trajectory has numbers that are not finite, times beyond {:g} s or positions "
                    "beyond {:g}",
                    kLargestTime, kLargestMotion));
  const auto too_near = [](double a, double b) { return b - a < kShortestInterval; };
  if (std::adjacent_find(times_.begin(), times_.end(), too_near) != times_.end())
    throw std::invalid_argument(
        fmt::format("the times of the trajectory do not ascend by {:g} s at least", kShortestInterval));
}

TrajectoryReplay::Place TrajectoryReplay::find(double time) const {
  const auto next = std::upper_bound(times_.begin(), times_.end(), time) - times_.begin();
  if (next == 0) return {0, 0, 0};
  if (next == times_.size()) return {times_.size() - 1, 0, 0};
  const double duration = times_[next] - times_[next - 1];
  return {next - 1, (time - times_[next - 1]) / duration, duration};
}

double TrajectoryReplay::position(const Place& place, int joint) const {
  const double start = positions_(place.row, joint);
  return place.duration == 0 ? start : start + place.part * (positions_(place.row + 1, joint) - start);
}

double TrajectoryReplay::velocity(const Place& place, int joint) const {
  if (place.duration == 0) return 0;
  return (positions_(place.row + 1, joint) - positions_(place.row, joint)) / place.duration;
}

void TrajectoryReplay::output(const SystemInput& input, Scratch*, VectorXd& tau) const {
  const Place place = find(input.time());
  for (int i = 0; i < count(); ++i) {
    const double q = input.state.q[places_[i].q], v = input.state.v[places_[i].v];
    tau[places_[i].v] += kp_[i] * (position(place, i) - q) + kd_[i] * (velocity(place, i) - v);
  }
}

bool TrajectoryReplay::jacobians(const SystemInput& input, Scratch*, SystemJacobians& out) const {
  const Place place = find(input.time());
  out.g_q.diagonal() = -kp_;
  out.g_v.diagonal() = -kd_;
  for (int i = 0; i < count(); ++i) out.g_t[i] = kp_[i] * velocity(place, i);
  return true;
}

}  // namespace stickslip
