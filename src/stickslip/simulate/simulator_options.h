#pragma once

#include <optional>
#include <string>
#include <variant>

#include "stickslip/control/make_stepper.h"
#include "stickslip/simulate/step_choice.h"

namespace stickslip {

constexpr int kMostThreads = 1024;

struct SimulatorOptions {
  std::string method = {};               // empty: the scene's, or cenic (anchored if a time_step is given)
  std::optional<double> accuracy = {};   // of methods with error control; none: the scene's, or 1e-3
  std::optional<double> time_step = {};  // [s], of fixed steps; not together with accuracy; none: the scene's, or 1 ms
  double max_step = ControlOptions().max_step, min_step = ControlOptions().min_step;  // under error control [s]
  // Of the error norm: "size" of the bodies, "identity", or own ones (nv); empty: the method's choice.
  std::variant<std::string, VectorXd> weights = {};
  std::string norm = {};  // of what the error is measured: "position", "state"; empty: the method's choice
  std::optional<bool> extrapolate, free_flight, consistent_friction;  // none: the method's choice
  std::string friction = {};  // under error control: "anchored", which remembers, "regularized"; empty: the method's
  std::optional<double> solver_tolerance = {};  // of the convex methods, relative to a step's impulses
  SolverOptions solver = {};                    // for comparisons; its tolerance is the one above
  int threads = 1;                              // that solve islands side by side; the result does not depend on it
};

// A sentence about what is wrong with the options for this model; empty if nothing is.
std::string check(const SimulatorOptions& options, const Model& model);

// The step that the model's file names for its own simulator: `timestep` of MJCF, `max_step_size` of SDF [s]. It is
// used only by who asks for it: {.time_step = file_time_step(model)}. Throws std::invalid_argument if the file names
// none.
double file_time_step(const Model& model);

// What the options and the scene together mean: options beat the scene.
std::string chosen_method(const SimulatorOptions& options, const Model& model);
StepperOptions stepper_options(const SimulatorOptions& options, const Model& model);

StepChoice step_choice(const SimulatorOptions& options, const Model& model);

}  // namespace stickslip
