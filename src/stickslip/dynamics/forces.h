#pragma once

#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/wrench.h"

// The smooth forces that a model's own elements apply: springs, dampers, actuators, compensation of gravity.
namespace stickslip {

struct AppliedForces {
  VectorXd tau;      // nv, actuators + springs + damping + tendons
  VectorXd damping;  // nv, bounds -d tau/d v from above as a diagonal, never negative: what an implicit method
                     // adds to M, times h
  std::vector<Wrench> wrenches;  // one a link, if the model compensates gravity; empty otherwise
};

// Needs poses if the model compensates gravity.
void compute_applied_forces(const Model& model, const State& state, const Kinematics& kinematics, AppliedForces& out);

// What joint springs apply now, and what holds bodies up whose gravity is compensated: the forces that an implicit
// method does not build into its equations another way. nv. Needs poses.
void compute_explicit_forces(const Model& model, const State& state, const Kinematics& kinematics, VectorXd& tau);

// Force of one actuator for its length, speed and control, within its limits; and its derivative by speed (0 at the
// limits).
struct ActuatorForce {
  double force = 0;
  double rate = 0;
};
ActuatorForce actuator_force(const ActuatorInfo& actuator, double length, double speed, double control);

// What all actuators apply, and their damping on the diagonal; nv each.
void compute_actuation(const Model& model, const State& state, VectorXd& tau, VectorXd& damping);

double damping_power(const Model& model, const State& state);  // of joints and tendons, never positive [W]
double joint_spring_energy(const Model& model, const State& state, const Link& link);  // [J]
double tendon_spring_energy(const TendonInfo& tendon, const State& state);
double spring_energy(const Model& model, const State& state);  // joints and tendons [J]

}  // namespace stickslip
