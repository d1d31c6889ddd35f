#pragma once

#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

double kinetic_energy(const Model& model, const State& state, const Kinematics& kinematics);  // with rotor inertia [J]
double potential_energy(const Model& model, const State& state, const Kinematics& kinematics);  // gravity + springs [J]

// Both, of one tree: without tendons and compensated gravity.
double tree_energy(const Model& model, const State& state, const Kinematics& kinematics, int tree);

struct Momentum {
  double mass = 0;                      // [kg]
  Vector3d center = Vector3d::Zero();   // centre of mass, world [m]
  Vector3d linear = Vector3d::Zero();   // [kg m/s]
  Vector3d angular = Vector3d::Zero();  // about the centre of mass, world axes [kg m^2/s]
};
// Of everything that moves.
Momentum momentum(const Model& model, const Kinematics& kinematics);

}  // namespace stickslip
