#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "stickslip/systems/evaluate_systems.h"

namespace stickslip {

// What systems did from the start of a step until one of the looks at them, beyond what the step took into account.
struct MissedImpulse {
  double before = 0;        // time of the look before, from the step's start [s]
  const VectorXd& impulse;  // nv [N s, N m s]
  const VectorXd& z;        // nz
};

// Looks for what systems do within a step that a step cannot know of: it asks them at its start and its middle, and
// takes them for straight from there on, as their derivatives say. A pulse between, or a jump, is none of that.
//
// From each half's start, on a straight way from there to its end, what a system does should differ from its
// linearisation by about what curvature, and time without a derivative, make of both halves alike; the rest is a
// surprise:
//
//   d(s) = g(s) - g_a - s (dg/dx (x_b - x_a)),   s from 0 to 1
//   surprise: how far d(s) is outside of [s^2 c, s c]
//   c: the smaller of both halves' d(1) if they have one sign, or 0
//
// Linear systems surprise nobody; what is smooth does by the second order of the step, beside the first that the step
// takes into account.
class SystemWatch {
 public:
  explicit SystemWatch(std::shared_ptr<const SystemList> systems);

  bool is_awake() const { return resolution_ < kInfinity; }

  // Tells of what was missed, ascending in time and as a sum, until nothing is left or `tell` returns false. `middle`
  // and its terms may be null: then the step knows of the start alone, and the whole of it is looked at as one half. An
  // infinite impulse is that of a system that gave no number.
  using Tell = std::function<bool(const MissedImpulse&)>;
  void look(const State& start, const std::vector<SystemTerms>& terms, const State* middle,
            const std::vector<SystemTerms>* middle_terms, const State& end, const Tell& tell);

 private:
  struct Output {
    VectorXd g, h;
  };
  // From the start of one half of the step on.
  struct Half {
    Output start, slope, end, curve;  // slope: over the whole half; curve: what is found at its end beside that
  };
  struct Memory {
    std::unique_ptr<System::Scratch> scratch;
    Half halves[2];      // a step without a middle has one
    Output now, common;  // common: c
  };

  void begin_half(int half, const State& from, const State& to, const std::vector<SystemTerms>& terms);
  void set_slope(size_t index, const SystemJacobians& jacobians, double h, Output& slope) const;
  void ask(size_t index, const State& state, Output& out);
  bool add_surprises(int half, double s, bool at_end, double duration);
  bool add_surprise(const Output& now, size_t index, int half, double s, double duration);
  void compare_halves();
  void compare_with_middle(const State& start, const State& end);
  // At `least` so many times; the half begins `offset` after the step. False: enough is told.
  bool look_at_half(int half, const State& from, const State& to, double offset, double least, const Tell& tell);

  std::shared_ptr<const SystemList> systems_;
  double resolution_ = kInfinity;  // the finest of all
  std::vector<size_t> watched_;    // systems
  std::vector<Memory> memory_;
  State moved_;
  VectorXd dq_, tangent_, impulse_, z_;
};

}  // namespace stickslip
