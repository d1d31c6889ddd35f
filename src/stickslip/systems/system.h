#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stickslip/state/state.h"

// External systems: controllers, grippers, motors, whatever pushes on the model and may have states of its own.
//
//   z' = h(z, x),  tau = g(z, x),  x = (t, q, v)        CENIC (9)
namespace stickslip {

// What a system sees.
struct SystemInput {
  const Model& model;
  const State& state;            // State::z holds the states of all systems
  Eigen::Map<const VectorXd> z;  // its own
  double time() const { return state.time; }
};

// Derivatives of g and h, over the degrees of freedom that the system names (System::dofs, n of them) along the tangent
// of q, so that each has n columns for q as for v. They make a step stable, not right: they may be approximate.
struct SystemJacobians {
  MatrixXd g_q, g_v, g_z;  // n x n, n x n, n x nz
  MatrixXd h_q, h_v, h_z;  // nz x n, nz x n, nz x nz
  VectorXd g_t, h_t;       // by time: n, nz

  void set_zero(int n, int nz);
};

constexpr double kDefaultResolution = 1e-3;  // [s]
constexpr double kFinestResolution = 1e-6;   // [s]
constexpr double kShortestTick = 1e-6;       // [s], between ticks: steps end at each, and a run must come to an end

// One external system. Const once it is made: what it remembers stands in z, so that a state can be saved and restored.
class System {
 public:
  // Memory to compute in; its content never changes a result.
  struct Scratch {
    virtual ~Scratch() = default;
  };

  explicit System(std::string name) : name_(std::move(name)) {}
  virtual ~System() = default;
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  const std::string& name() const { return name_; }  // for messages

  // z at the start; empty for a system without states.
  virtual VectorXd initial(const Model&) const { return {}; }

  // Whether a step takes its forces at the step's end (stable however stiff) or at its start.
  virtual bool implicit() const { return true; }

  // Indices into State::v of the degrees of freedom that it reads and pushes, in the order of its Jacobians; empty: all
  // of them. What it does beyond them is taken at the start of a step. The cost of differences grows with their number.
  virtual std::vector<int> dofs(const Model&) const { return {}; }

  // Bounds on the magnitude of tau, nv, infinite where there is none; empty: none at all.
  virtual VectorXd effort_limit(const Model&) const { return {}; }

  virtual std::unique_ptr<Scratch> make_scratch(const Model&) const { return nullptr; }

  // Adds g to tau, nv.
  virtual void output(const SystemInput& input, Scratch* scratch, VectorXd& tau) const = 0;

  // Writes h to zdot, which has its size. (References to parts of vectors are passed as they are: that is no copy.)
  virtual void derivative(const SystemInput&, Scratch*, Eigen::Ref<VectorXd>) const {}  // NOLINT(*-value-param)

  // Fills in the Jacobians, which come as zeros of the right sizes, and returns true; or false: differences are taken.
  // No difference is ever taken by time: a set point that jumps has no derivative.
  virtual bool jacobians(const SystemInput&, Scratch*, SystemJacobians&) const { return false; }

  // Under error control nothing that g and h do for so long [s] is stepped over, however long the steps are: they are
  // asked that often on the way. At least kFinestResolution; infinite for what is smooth in its arguments, or constant.
  virtual double resolution() const { return kDefaultResolution; }

  // A system that looks at the world at ticks only, and keeps in z what it saw: when the next tick after `time` is, and
  // whether `time` is one. Ticks are kShortestTick apart at least.
  virtual double next_tick(double) const { return kInfinity; }
  virtual bool is_tick(double) const { return false; }
  // What z is from the tick on. Called once at each, before the step that starts there.
  virtual void sample(const SystemInput&, Scratch*, Eigen::Ref<VectorXd>) const {}  // NOLINT(*-value-param)

 private:
  std::string name_;
};

}  // namespace stickslip
