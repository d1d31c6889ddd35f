#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stickslip/base/status.h"
#include "stickslip/dynamics/tree_energy.h"
#include "stickslip/icf/contact_result.h"
#include "stickslip/icf/line_search.h"
#include "stickslip/icf/linear_solver.h"
#include "stickslip/icf/solve_statistics.h"
#include "stickslip/icf/step_work.h"
#include "stickslip/state/state.h"

namespace stickslip {

struct CollisionModel;
class SystemList;

// How the convex methods solve their steps.
struct SolverOptions {
  double tolerance = 1e-5;  // eps_tol
  LinearSolver linear_solver = LinearSolver::kAutomatic;
  LineSearchStart line_search_start = LineSearchStart::kCubic;
  std::optional<bool> reuse_factors = {};  // see NewtonOptions
  // For comparison, each of these can be switched off:
  bool islands = true;        // false: all trees in one problem
  bool patches = true;        // false: each contact adds to the Hessian for itself
  bool contact_space = true;  // false: the line search's trials start from the velocities of all trees
  bool local_solves = true;   // false: each iteration is of the whole island
  bool stiff_at_end = true;   // false: half of a contact at either end in the trapezoid rule, as published
};

struct MethodOptions {
  SolverOptions solver;
  int threads = 1;                   // for islands
  bool consistent_friction = false;  // see NewtonOptions
  // As published: Newton's method stops where the paper's does, lone bodies feel the gyroscopic torque of the start,
  // and the gaps of constraints are predicted alone.
  bool published = false;
  bool with_trapezoid = false;  // ConvexMethod::correct() will be asked for
  double beta = 0;              // constraints and limits as stiff as the step can tell; see TimeScales
};

// What a method did since it was last asked.
struct StepStatistics {
  SolveStatistics solver;
  std::int64_t geometry_queries = 0;
  double geometry_seconds = 0, dynamics_seconds = 0, setup_seconds = 0;
};

// One integration method. prepare() does all that depends on the state alone, advance() all that depends on the step h;
// an attempt that is rejected keeps its preparation. Methods hold scratch memory, which never changes a result.
class Method {
 public:
  // What prepare() found out about a state. Made once, filled many times.
  struct Prepared {
    virtual ~Prepared() = default;
  };

  virtual ~Method() = default;
  virtual std::unique_ptr<Prepared> make_prepared() const = 0;

  // `h_max` bounds the steps that advance() will be asked for.
  virtual Status prepare(const State& state, double h_max, Prepared& prepared) = 0;

  // `next`: the state a time h after the prepared one. On failure `next` is not to be used.
  virtual Status advance(const Prepared& prepared, double h, State& next) = 0;

  // How deep surfaces are in each other at the prepared state [m]; 0 for methods without contact.
  virtual double deepest_overlap(const Prepared& /*prepared*/) const { return 0; }

  // Energy at the prepared state, tree by tree; none if the method cannot tell.
  virtual void measure_energy(const Prepared& /*prepared*/, std::vector<TreeEnergy>& energy) const { energy.clear(); }

  // The contacts of the last advance(), whose preparation must still be there; none for methods without contact.
  virtual void read_contacts(std::vector<ContactResult>& contacts) const { contacts.clear(); }

  // Generalised forces of joint limits, dry friction, couplers and loop closures in the last advance(), nv; zero for
  // methods without.
  virtual void read_constraint_forces(VectorXd& tau) { tau.setZero(); }

  // External systems, whose states State::z holds from now on; nullptr: none. They were made for the method's model.
  virtual void set_systems(std::shared_ptr<const SystemList> systems) = 0;

  // Of the last advance(), for methods with contact.
  virtual StepWork work() const { return {}; }

  virtual StepStatistics take_statistics() { return {}; }

  // What collides, for methods with contact; nullptr for others.
  virtual std::shared_ptr<const CollisionModel> collision_model() const { return nullptr; }
};

// By name; nullptr if there is none. The model must outlive the method.
std::unique_ptr<Method> make_method(const std::string& name, const Model& model, const MethodOptions& options = {});

std::vector<std::string> method_names();

}  // namespace stickslip
