#pragma once

#include <functional>

#include "stickslip/step/method.h"
#include "stickslip/systems/watch_systems.h"

namespace stickslip {

// What acted on a tree in one solve.
struct TreeActivity {
  int island = -1;              // of the solve; -1: the tree has no degrees of freedom
  bool is_acted_on = false;     // by contact, limits, actuators or constraints
  bool is_driven = false;       // by what gives energy or takes it: all of that but constraints at rest
  bool is_constrained = false;  // by stiff loop closures and couplers
  bool is_hit = false;          // by a surface that it did not touch where the solve started
  bool is_carried = false;      // friction that remembers holds it to something with prescribed motion
  // Names what acted, and in which mode each of it was: contacts sticking or slipping, actuators saturated or not.
  // Equal in two solves (but for a chance of 2^-64) if the same things acted in the same modes; their order does not
  // matter.
  std::uint64_t modes = 0;
};

// What the solves of a step took no note of: see MissedImpulse.
struct MissedMotion {
  const MissedImpulse& of;
  const VectorXd& v;  // nv: what it makes if nothing but inertia and feedback answers
};

// A convex step as error control uses it.
class ConvexMethod : public Method {
 public:
  using Method::advance;

  // Newton's method starts from the velocities `guess` (as State::v) instead of the prepared state's.
  virtual Status advance(const Prepared& prepared, double h, const VectorXd& guess, State& next) = 0;

  // The trapezoid rule from a prepared state to one that advance() predicted for the time h later, prepared too: second
  // order. What is read of the last advance() is then of this.   CENIC (25)
  virtual Status correct(const Prepared& start, const Prepared& predicted, double h, State& next) = 0;

  // The velocities that the last advance() solved for, told at the pose of the start: before lone bodies turned.
  virtual const VectorXd& solved_velocity() const = 0;

  // One a tree, of the last advance().
  virtual void read_activity(std::vector<TreeActivity>& activity) const = 0;

  // What external systems do on the way from a prepared state to `end` that the solves, of which the last one must be
  // of this step, took no note of, as SystemWatch::look. `middle`: prepared half-way; nullptr: nothing was.
  using TellMissed = std::function<bool(const MissedMotion&)>;
  virtual void watch_systems(const Prepared& start, const Prepared* middle, const State& end,
                             const TellMissed& tell) = 0;

  // Of the last advance(), in the order of the prepared state's contacts: forces on B [N], world axes.
  virtual void read_contact_forces(std::vector<Vector3d>& forces) const = 0;

  // Where a prepared state's contacts are; forces are zero.
  virtual void locate_contacts(const Prepared& prepared, std::vector<ContactResult>& contacts) const = 0;

  // All that acts explicitly at the prepared state, less the bias, nv: M vdot = force if nothing else acts, where vdot
  // of a lone free body says how the velocity of its centre of mass changes. Of its gyroscopic torque nothing is in it,
  // see free_turns.h.
  virtual const VectorXd& explicit_force(const Prepared& prepared) const = 0;

  // The longest step for which the contacts found at the prepared state describe what happened in the last advance():
  // infinite unless something moved farther than was foreseen, or a surface was hit after a long way, which may not
  // be where it was hit, or something with prescribed motion did more than the step could see.
  virtual double trusted_step() = 0;

  // The time from the prepared state for which no surface was hit that acted in the last advance() and was apart from
  // the other at its start; infinite if there is none.
  virtual double time_before_hit() const = 0;
};

}  // namespace stickslip
