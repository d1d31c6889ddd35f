#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stickslip/control/error_control.h"
#include "stickslip/control/error_norm.h"

namespace stickslip {

// How steps are taken, by the names that users write.
struct StepperOptions {
  std::string method;
  std::optional<double> accuracy;   // of methods with error control
  std::optional<double> time_step;  // [s]: fixed steps
  double max_step = ControlOptions().max_step, min_step = ControlOptions().min_step;
  std::optional<VectorXd> weights;  // nv, of the error norm; none: by the size of the bodies
  std::optional<double> horizon;    // of the error norm [s]; none: as the method has it
  std::optional<bool> extrapolate, free_flight, consistent_friction;  // none: as the method has it
  std::optional<bool> anchored;            // friction with memory; none: as the method has it
  std::optional<double> solver_tolerance;  // none: as the method has it
  MethodOptions common;
};

constexpr double kDefaultAccuracy = 1e-3;
constexpr double kDefaultTimeStep = 1e-3;  // [s]

// Every method, with error control or without.
std::vector<std::string> stepper_names();
bool has_error_control(const std::string& method);

// By name; nullptr if there is none. The model must outlive it.
std::unique_ptr<Stepper> make_stepper(const StepperOptions& options, const Model& model);

}  // namespace stickslip
