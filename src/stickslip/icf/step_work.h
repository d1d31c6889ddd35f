#pragma once

namespace stickslip {

// Energy that forces gave to what moves over one step or many: impulses times the mean of the velocities before and
// after [J].
struct StepWork {
  double actuators = 0;
  double damping = 0;   // of joints and tendons, and dry friction
  double contact = 0;   // and constraints; with what it stores in compressed surfaces
  double internal = 0;  // what the rest of the equations says the three amount to: equal to them if they are solved

  StepWork& operator+=(const StepWork& other) {
    actuators += other.actuators;
    damping += other.damping;
    contact += other.contact;
    internal += other.internal;
    return *this;
  }

  // This is the work of two half steps: what it tends to, if `full` is that of the whole step.
  void extrapolate_from(const StepWork& full) {
    actuators += actuators - full.actuators;
    damping += damping - full.damping;
    contact += contact - full.contact;
  }

  // Of actuators, that the equations solved know nothing of.
  void add_feed(double work) {
    actuators += work;
    internal += work;
  }

  // Where the result is not the solution of the equations solved, they tell nothing about it.
  void balance() { internal = actuators + damping + contact; }
};

}  // namespace stickslip
