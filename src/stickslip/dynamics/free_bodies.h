#pragma once

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/mass_matrix.h"

// Kernels for lone free bodies, four at a time. A world of a thousand objects spends its smooth dynamics here.
//
// Every body goes through the same instructions wherever it stands in the list (the last group is padded with copies of
// its last body), so that its bits do not depend on its neighbours.
namespace stickslip {

void compute_free_poses(const Model& model, const State& state, Kinematics& kinematics);
void compute_free_velocities(const Model& model, const State& state, Kinematics& kinematics);
void compute_free_masses(const Model& model, const State& state, MassMatrix& mass);
void compute_free_bias(const Model& model, const State& state, VectorXd& tau);

// All four in one pass; the outputs have their sizes already.
void compute_free_terms(const Model& model, const State& state, Kinematics& kinematics, MassMatrix& mass,
                        VectorXd& bias);

}  // namespace stickslip
