#pragma once

#include <memory>

#include "stickslip/control/stepper.h"

namespace stickslip {

// A method at a step that the user chose.
class FixedStep final : public Stepper {
 public:
  FixedStep(std::unique_ptr<Method> method, double time_step)
      : method_(std::move(method)), prepared_(method_->make_prepared()), time_step_(time_step) {}

  Status step(const State& state, double end, State& next, StepRecord& record) override {
    record = {.h = fitting_step(time_step_, end - state.time)};
    Status status = method_->prepare(state, record.h, *prepared_);
    if (status.ok()) {
      method_->measure_energy(*prepared_, energy_);
      record.add_energy(energy_);
    }
    if (status.ok()) status = method_->advance(*prepared_, record.h, next);
    if (status.ok()) record.work = method_->work();
    record.work.by_systems = false;  // they are held over the step
    if (status.ok()) record.overlap = method_->deepest_overlap(*prepared_);
    if (!status.ok()) record.rejected = 1;
    return status;
  }
  Method& method() override { return *method_; }
  double time_step() const override { return time_step_; }

 private:
  std::unique_ptr<Method> method_;
  std::unique_ptr<Method::Prepared> prepared_;
  std::vector<TreeEnergy> energy_;  // at the start
  double time_step_ = 0;
};

}  // namespace stickslip
