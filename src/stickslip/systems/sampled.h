#pragma once

#include <functional>

#include "stickslip/systems/system.h"

namespace stickslip {

// A controller that runs at a rate, as on a computer: at each tick it looks at the world, and what it computes acts
// until the next. The held forces are its z, so that saving a state between ticks saves them. Steps end at ticks.
class Sampled : public System {
 public:
  // Writes nv generalised forces, which come as zeros.
  using Function = std::function<void(const SystemInput&, Eigen::Ref<VectorXd> tau)>;

  // Throws std::invalid_argument unless the rate [Hz] is positive and its ticks are kShortestTick apart.
  Sampled(double rate, Function function, std::string name = "sampled");

  double rate() const { return rate_; }

  VectorXd initial(const Model& model) const override { return VectorXd::Zero(model.nv); }
  bool implicit() const override { return false; }
  double resolution() const override { return kInfinity; }  // constant between ticks
  void output(const SystemInput& input, Scratch*, VectorXd& tau) const override { tau += input.z; }
  void derivative(const SystemInput&, Scratch*, Eigen::Ref<VectorXd> zdot) const override { zdot.setZero(); }

  // Ticks are at whole multiples of 1/rate.
  double next_tick(double time) const override;
  bool is_tick(double time) const override;
  void sample(const SystemInput& input, Scratch*, Eigen::Ref<VectorXd> z) const override;

 private:
  double rate_ = 0;
  Function function_;
};

}  // namespace stickslip
