#pragma once

namespace stickslip {

// Energy that forces gave to what moves over one step or many: impulses times the mean of the velocities before and
// after [J].
struct StepWork {
  double actuators = 0;
  double damping = 0;     // of joints and tendons, and dry friction
  double contact = 0;     // and constraints; with what it stores in compressed surfaces
  double prescribed = 0;  // part of `contact`: what prescribed motion and running surfaces gave through it
  double kinetic = 0;     // change of kinetic energy in the configuration of the start; implicit damping counts as mass
  bool by_systems = false;  // external systems acted, whose work between the places that a step looks at is not known
  double internal = 0;      // what the rest of the equations says the three amount to: equal to them if they are solved

  StepWork& operator+=(const StepWork& other) {
    actuators += other.actuators;
    damping += other.damping;
    contact += other.contact;
    prescribed += other.prescribed;
    kinetic += other.kinetic;
    by_systems = by_systems || other.by_systems;
    internal += other.internal;
    return *this;
  }

  // This is the work of two half steps: what it tends to, if `full` is that of the whole step.
  void extrapolate_from(const StepWork& full) {
    actuators += actuators - full.actuators;
    damping += damping - full.damping;
    contact += contact - full.contact;
    prescribed += prescribed - full.prescribed;
    kinetic += kinetic - full.kinetic;
  }

  // Of actuators, that the equations solved know nothing of.
  void add_feed(double work) {
    actuators += work;
    internal += work;
  }

  // What came from outside: passive elements give nothing.
  double fed() const { return actuators + prescribed; }

  // Where the result is not the solution of the equations solved, they tell nothing about it.
  void balance() { internal = actuators + damping + contact; }
};

}  // namespace stickslip
