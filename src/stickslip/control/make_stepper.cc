#include "stickslip/control/make_stepper.h"

#include <algorithm>

#include "stickslip/contact/anchored_model.h"
#include "stickslip/contact/lagged_model.h"
#include "stickslip/control/fixed_step.h"
#include "stickslip/control/step_doubling.h"
#include "stickslip/control/trapezoid.h"
#include "stickslip/step/convex_step.h"

namespace stickslip {
namespace {

// What a method with error control is made of, unless the user says otherwise.
struct Recipe {
  const char* name;
  enum Scheme { kDoubling, kTrapezoid } scheme = kDoubling;
  bool extrapolate = false, consistent_friction = false, free_flight = false;
  bool anchored = false;                  // friction with memory
  bool size_weights = false;              // else identity_weights
  double horizon = 0, rough_horizon = 0;  // of the error norm [s]
  double beta = 0;                        // see TimeScales
  bool published = false;                 // see MethodOptions
};

constexpr double kPaperBeta = 0.1;  // CENIC IV-D

constexpr Recipe kRecipes[] = {
    {.name = "cenic",
     .extrapolate = true,
     .free_flight = true,
     .anchored = true,
     .size_weights = true,
     .horizon = 0.01,
     .rough_horizon = 0.1},
    {.name = "cenic-paper", .beta = kPaperBeta, .published = true},
    {.name = "cenic-trapezoid", .scheme = Recipe::kTrapezoid},
};

const Recipe* find_recipe(const std::string& method) {
  const auto* found =
      std::find_if(std::begin(kRecipes), std::end(kRecipes), [&](const Recipe& r) { return r.name == method; });
  return found == std::end(kRecipes) ? nullptr : found;
}

// Newton's method has to be negligible against the error asked for.   CENIC (34)
constexpr double kSolverShare = 1e-3, kTightestSolver = 1e-8;
// Nothing that rests shall wobble, whatever accuracy is asked for: of friction that holds.
constexpr double kLoosestAnchored = 1e-6;

std::unique_ptr<Scheme> make_scheme(const Recipe& recipe, const StepperOptions& options, const Model& model,
                                    std::unique_ptr<ConvexMethod> method, ErrorNorm norm, double accuracy) {
  if (recipe.scheme == Recipe::kTrapezoid)
    return std::make_unique<Trapezoid>(model, std::move(method), std::move(norm), accuracy);
  const DoublingOptions doubling{accuracy, options.extrapolate.value_or(recipe.extrapolate),
                                 options.free_flight.value_or(recipe.free_flight), !options.time_step};
  return std::make_unique<StepDoubling>(model, std::move(method), std::move(norm), doubling);
}

std::unique_ptr<Stepper> make_error_control(const Recipe& recipe, const StepperOptions& options, const Model& model) {
  ControlOptions control;
  control.accuracy = options.accuracy.value_or(kDefaultAccuracy);
  control.max_step = options.time_step.value_or(options.max_step);
  control.min_step = options.min_step;
  control.is_fixed = options.time_step.has_value();
  control.guards_energy = !recipe.published && !control.is_fixed;

  MethodOptions common = options.common;
  const bool anchored = options.anchored.value_or(recipe.anchored);
  const double loosest = anchored ? kLoosestAnchored : 1;
  common.solver.tolerance =
      options.solver_tolerance.value_or(std::clamp(kSolverShare * control.accuracy, kTightestSolver, loosest));
  common.published = recipe.published;
  common.beta = recipe.beta;
  common.with_trapezoid = recipe.scheme == Recipe::kTrapezoid;
  common.consistent_friction = options.consistent_friction.value_or(recipe.consistent_friction);

  ErrorNorm norm;
  norm.horizon = options.horizon.value_or(recipe.horizon);
  norm.rough_horizon = options.horizon.value_or(recipe.rough_horizon);
  norm.weights = options.weights       ? *options.weights
                 : recipe.size_weights ? size_weights(model)
                                       : identity_weights(model);
  std::unique_ptr<ConvexMethod> method;
  if (anchored)
    method = std::make_unique<ConvexStep<AnchoredModel>>(model, common);
  else
    method = std::make_unique<ConvexStep<LaggedModel>>(model, common);
  return std::make_unique<ErrorControl>(
      model, make_scheme(recipe, options, model, std::move(method), std::move(norm), control.accuracy), control);
}

}  // namespace

std::vector<std::string> stepper_names() {
  std::vector<std::string> names;
  for (const Recipe& recipe : kRecipes) names.emplace_back(recipe.name);
  for (const std::string& name : method_names()) names.push_back(name);
  return names;
}

bool has_error_control(const std::string& method) { return find_recipe(method) != nullptr; }

std::unique_ptr<Stepper> make_stepper(const StepperOptions& options, const Model& model) {
  if (const Recipe* recipe = find_recipe(options.method)) return make_error_control(*recipe, options, model);
  MethodOptions common = options.common;
  common.solver.tolerance = options.solver_tolerance.value_or(common.solver.tolerance);
  std::unique_ptr<Method> method = make_method(options.method, model, common);
  if (!method) return nullptr;
  return std::make_unique<FixedStep>(std::move(method), options.time_step.value_or(kDefaultTimeStep));
}

}  // namespace stickslip
