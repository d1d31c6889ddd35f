#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "stickslip/step/method.h"

namespace stickslip {

// Why a step was no longer.
enum class StepHold : std::uint8_t {
  kNone,      // the longest that was asked for, or on the way there, or something ended it
  kAccuracy,  // a longer one would have missed it
  kTrust,     // see Attempt::longest
  kSurprise,  // of an external system
  kSolver,    // a longer one had no solution
  kEnergy,    // a longer one made energy from nothing
};
constexpr size_t kStepHolds = 6;

// What one accepted step was like.
struct StepRecord {
  double h = 0;        // [s]
  double error = 0;    // estimated, in the norm of the accuracy; 0 for fixed steps
  int rejected = 0;    // attempts before it
  double overlap = 0;  // the deepest that was seen on the way [m]
  StepHold hold = StepHold::kNone;
  int worst = -1;  // of a step that the accuracy holds: as in ErrorEstimate
  StepWork work;
  bool has_energy = false;  // the method tells it
  TreeEnergy start_energy;  // of all trees, at the start

  void add_energy(const std::vector<TreeEnergy>& trees) {
    has_energy = !trees.empty();
    for (const TreeEnergy& tree : trees) start_energy += tree;
  }
};

// Takes accepted steps: of a fixed size, or as long as the accuracy allows.
class Stepper {
 public:
  virtual ~Stepper() = default;

  // One step from `state`, not beyond the time `end`: a step that ends there does so exactly, and none is left that is
  // a sliver. On failure the record counts the attempts, and `next` is not to be used.
  virtual Status step(const State& state, double end, State& next, StepRecord& record) = 0;

  // The contacts of the last step, with the mean of their forces over it.
  virtual void read_contacts(std::vector<ContactResult>& contacts) { method().read_contacts(contacts); }

  virtual Method& method() = 0;
  virtual double time_step() const = 0;  // the fixed one; the longest of those under error control
};

// The last step may differ by this part of a step: the clock's round-off over millions of steps is no reason for
// another.
constexpr double kStretch = 1e-3;

// A step of about h that leaves no sliver of what remains.
inline double fitting_step(double h, double remaining) {
  if (remaining <= h * (1 + kStretch)) return remaining;
  return remaining < h * (2 - kStretch) ? 0.5 * remaining : h;
}

}  // namespace stickslip
