#pragma once

#include <vector>

#include "stickslip/state/state.h"

namespace stickslip {

// How large a difference of two states is: the largest weighted component.   CENIC V-E
//
// Positions are compared on the manifold, as q1 (-) q0; velocities by how far off they lead within a horizon, a time;
// states of external systems relative to their size.
struct ErrorNorm {
  VectorXd weights;          // nv [1/m, 1/rad]
  double horizon = 0;        // [s]; 0: positions alone
  double rough_horizon = 0;  // of trees whose step is of first order only
};

// What a tree's part of a difference says.
enum class TreeError : std::uint8_t {
  kNone,    // nothing: the tree moved without error
  kSmooth,  // the error of a solution that the result improves on
  kRough,   // the error of the result
  // Velocities follow stiff constraints, whose directions turn with the position: they differ by as much as a step
  // turns them, which is no error of the result. Positions alone tell.
  kConstrained,
};

struct ErrorEstimate {
  double value = 0;
  int worst = -1;  // index into State::v, or -1 - index into State::z
};

// `trees`: one a tree. `difference` is scratch memory.
ErrorEstimate measure(const Model& model, const ErrorNorm& norm, const State& a, const State& b,
                      const std::vector<TreeError>& trees, VectorXd& difference);

// How far off a step h ends that missed the velocities `v` and the states `z`, of systems whose states are then those
// of `end`: by where these lead within the step, the norm's horizon or 10 ms, whichever is longest: what is missed is
// missed for good, even where positions alone count. Infinity if they are no numbers.
double measure_missed(const ErrorNorm& norm, double h, const VectorXd& v, const VectorXd& z, const State& end);

// One for each component of q: half the angle, as quaternions have it, for rotations of ball and free joints.
VectorXd identity_weights(const Model& model);

// Weights that make an error of 1 as large as the bodies: metres over a body's radius, a joint by how far it moves the
// bodies that hang on it, in their radii. At the model's start.
VectorXd size_weights(const Model& model);

}  // namespace stickslip
