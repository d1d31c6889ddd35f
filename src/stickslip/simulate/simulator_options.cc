#include "stickslip/simulate/simulator_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stickslip/base/names.h"

namespace stickslip {
namespace {

constexpr const char* kDefaultMethod = "cenic";
constexpr const char* kDefaultFixedMethod = "anchored";
constexpr double kStateHorizon = 1;      // [s]: an error of 1 m/s counts as much as one of 1 m
constexpr double kShortestStep = 1e-12;  // [s]; below it the clock of a run of hours stands still

const std::string& chosen_friction(const SimulatorOptions& options, const Model& model) {
  return options.friction.empty() ? model.simulation.friction : options.friction;
}

std::string check_steps(const SimulatorOptions& options, const StepperOptions& chosen) {
  const auto positive = [](const char* name, double value) {
    return value > 0 && std::isfinite(value) ? std::string()
                                             : fmt::format("{} is {}, expected a positive number{}", name, value,
                                                           std::string_view(name) == "accuracy" ? "" : " of seconds");
  };
  std::string complaint = positive("time_step", chosen.time_step.value_or(kDefaultTimeStep));
  if (complaint.empty()) complaint = positive("accuracy", chosen.accuracy.value_or(kDefaultAccuracy));
  if (complaint.empty()) complaint = positive("max_step", options.max_step);
  if (complaint.empty()) complaint = positive("min_step", options.min_step);
  if (!complaint.empty()) return complaint;
  if (chosen.time_step && *chosen.time_step < kShortestStep)
    return fmt::format("time_step is {}, expected at least {} s", *chosen.time_step, kShortestStep);
  if (options.min_step < kShortestStep)
    return fmt::format("min_step is {}, expected at least {} s", options.min_step, kShortestStep);
  if (options.min_step > options.max_step)
    return fmt::format("min_step is {} s, longer than max_step, {} s", options.min_step, options.max_step);
  return "";
}

std::string check_norm(const SimulatorOptions& options, const Model& model) {
  if (!options.norm.empty() && options.norm != "position" && options.norm != "state")
    return fmt::format("norm is '{}', expected 'position' or 'state'", options.norm);
  if (const auto* name = std::get_if<std::string>(&options.weights)) {
    const bool known = name->empty() || *name == "size" || *name == "identity";
    return known ? "" : fmt::format("weights is '{}', expected 'size', 'identity' or {} numbers", *name, model.nv);
  }
  const VectorXd& own = std::get<VectorXd>(options.weights);
  if (own.size() != model.nv)
    return fmt::format("weights has {} numbers, expected {}: one a velocity", own.size(), model.nv);
  if (!own.allFinite() || !(own.array() >= 0).all()) return "weights must be finite and not negative";
  return "";
}

std::string check_friction(const SimulatorOptions& options, const Model& model, const std::string& method) {
  const std::string& friction = chosen_friction(options, model);
  if (friction.empty()) return "";
  if (friction != "anchored" && friction != "regularized")
    return fmt::format("friction is '{}', expected 'anchored' or 'regularized'", friction);
  if (has_error_control(method) || (method == "anchored" && friction == "anchored")) return "";
  return fmt::format(
      "method '{}' has friction of its own: friction='{}' goes with cenic, cenic-paper and "
      "cenic-trapezoid; at fixed steps the methods are called 'anchored' and 'lagged'",
      method, friction);
}

}  // namespace

double file_time_step(const Model& model) {
  if (model.simulation.file_time_step) return *model.simulation.file_time_step;
  throw std::invalid_argument(fmt::format(
      "time_step is 'file', but {} names no time step ('timestep' of MJCF, 'max_step_size' of SDF): give a number of "
      "seconds, or an accuracy",
      model.file.empty() ? "the model" : fmt::format("'{}'", model.file)));
}

// Somebody who gives a time step wants that step.
std::string chosen_method(const SimulatorOptions& options, const Model& model) {
  if (!options.method.empty()) return options.method;
  if (!model.simulation.method.empty()) return model.simulation.method;
  const bool fixed = options.time_step || (model.simulation.time_step && !options.accuracy);
  return fixed ? kDefaultFixedMethod : kDefaultMethod;
}

// An accuracy and a time step exclude each other.
StepperOptions stepper_options(const SimulatorOptions& options, const Model& model) {
  StepperOptions out;
  out.method = chosen_method(options, model);
  out.accuracy = options.accuracy;
  out.time_step = options.time_step;
  if (!out.accuracy && !out.time_step) {
    if (has_error_control(out.method)) out.accuracy = model.simulation.accuracy;
    if (!out.accuracy) out.time_step = model.simulation.time_step;
  }
  out.max_step = options.max_step;
  out.min_step = options.min_step;
  if (const auto* own = std::get_if<VectorXd>(&options.weights)) out.weights = *own;
  if (options.weights == decltype(options.weights)("identity")) out.weights = identity_weights(model);
  if (options.weights == decltype(options.weights)("size")) out.weights = size_weights(model);
  if (options.norm == "position") out.horizon = 0;
  if (options.norm == "state") out.horizon = kStateHorizon;
  out.extrapolate = options.extrapolate;
  out.free_flight = options.free_flight;
  out.consistent_friction = options.consistent_friction;
  const std::string& friction = chosen_friction(options, model);
  if (!friction.empty()) out.anchored = friction == "anchored";
  out.solver_tolerance = options.solver_tolerance;
  out.common.threads = options.threads;
  out.common.solver = options.solver;
  return out;
}

StepChoice step_choice(const SimulatorOptions& options, const Model& model) {
  const StepperOptions chosen = stepper_options(options, model);
  StepChoice out;
  if (has_error_control(chosen.method) && !chosen.time_step) {
    out.accuracy = chosen.accuracy.value_or(kDefaultAccuracy);
  } else {
    out.time_step = chosen.time_step.value_or(kDefaultTimeStep);
  }
  if (out.time_step != model.simulation.file_time_step) out.unused_file_step = model.simulation.file_time_step;
  return out;
}

std::string check(const SimulatorOptions& options, const Model& model) {
  const std::vector<std::string> names = stepper_names();
  const StepperOptions chosen = stepper_options(options, model);
  const std::string& method = chosen.method;
  if (std::find(names.begin(), names.end(), method) == names.end())
    return fmt::format("there is no method '{}'; {}", method, did_you_mean(method, names));
  if (options.accuracy && options.time_step) return "give accuracy or time_step, not both";
  const bool wants_accuracy = options.accuracy || (model.simulation.accuracy && !options.time_step);
  if (wants_accuracy && !has_error_control(method))
    return fmt::format("method '{}' has no error control: give time_step instead of accuracy", method);
  if (std::string complaint = check_steps(options, chosen); !complaint.empty()) return complaint;
  if (std::string complaint = check_norm(options, model); !complaint.empty()) return complaint;
  if (std::string complaint = check_friction(options, model, method); !complaint.empty()) return complaint;
  const double tolerance = options.solver_tolerance.value_or(SolverOptions().tolerance);
  if (!(tolerance > 0) || !(tolerance < 1))
    return fmt::format("solver_tolerance is {}, expected a number between 0 and 1", tolerance);
  if (options.threads < 1 || options.threads > kMostThreads)
    return fmt::format("threads is {}, expected 1 to {}; more than the machine has cores only wait for each other",
                       options.threads, kMostThreads);
  return "";
}

}  // namespace stickslip
