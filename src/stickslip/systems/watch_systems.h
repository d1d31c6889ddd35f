#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "stickslip/systems/evaluate_systems.h"

namespace stickslip {

// What systems did within a step beyond what the step took into account.
struct MissedImpulse {
  enum Kind : std::uint8_t {
    kSoFar,   // from the step's start until a look: impulses, and what states miss
    kLead,    // of all of it by the end: impulses times the time from them to the end, which lead positions off
    kMiddle,  // forces, and rates of states, that only the second half knew of: they came within the first
  };
  Kind kind = kSoFar;
  double before = 0;        // time of the look before, from the step's start [s]
  const VectorXd& impulse;  // nv [N s, N m s], or times [s], or by [s]
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
//
// A half is looked at once in each of equal parts, no longer than the resolution, at a place within them that is drawn
// from the clock: pulses that come as regularly as steps do are not missed each time, nor met each time, and what is
// shorter than a part is met as often as it deserves. Where something jumps between two looks it is found more finely.
// So the sum of what is missed is right in the mean.
class SystemWatch {
 public:
  explicit SystemWatch(std::shared_ptr<const SystemList> systems);

  bool is_awake() const { return resolution_ < kInfinity; }

  // Tells of what was missed, ascending in time and as a sum, until `tell` returns false; if it never did, and anything
  // was missed, once of each other kind. `middle` and its terms may be null: then the step knows of the start alone,
  // and the whole of it is looked at as one half. An infinite impulse is that of a system that gave no number.
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

  // What all systems do at one look that a step knows nothing of.
  struct Missed {
    VectorXd g, h;          // nv, nz
    bool found = false;     // anything
    bool is_large = false;  // beside what curvature makes
  };
  // The way through a half.
  struct Way {
    int half;
    const State &from, &to;
    double offset, rest;  // how long before it the step begins, and after it ends [s]
  };

  void begin_half(int half, const State& from, const State& to, const std::vector<SystemTerms>& terms);
  void set_slope(size_t index, const SystemJacobians& jacobians, double h, Output& slope) const;
  void ask(size_t index, const State& state, Output& out);
  void add_surprise(const Output& now, size_t index, int half, double s, Missed& out) const;
  void find_missed(const Way& way, double s, Missed& out);
  bool has_jumped() const;
  void find_jump(const Way& way, double& low, double& high);
  void compare_halves();
  void compare_with_middle(const State& start, const State& end);
  // False: enough is told.
  bool add_interval(const Way& way, double from, double to, const Tell& tell);
  bool look_at_half(const Way& way, const Tell& tell);
  void tell_all(const Way& first, const Tell& tell);

  std::shared_ptr<const SystemList> systems_;
  double resolution_ = kInfinity;  // the finest of all
  std::vector<size_t> watched_;    // systems
  std::vector<Memory> memory_;
  State moved_;
  VectorXd dq_, tangent_, z_;
  Missed last_, now_, between_;  // looks
  int jumps_left_ = 0;
  bool found_ = false;
  VectorXd impulse_, lead_, missed_z_;  // what was missed so far
};

}  // namespace stickslip
