#pragma once

#include <vector>

#include "stickslip/state/state.h"

// How lone free bodies turn within a step. The gyroscopic torque w x I w does no work, but taken at the start of a step
// it makes energy: with z = h |w|, z^2/2 of it in each step, and z^4/4 where steps are extrapolated. So steps leave it
// out: they solve for the angular velocity w that all other forces make, and then let the body turn as one does that
// nothing acts on, its velocity included. Its angular momentum is then what the forces made it, and its energy, too.
namespace stickslip {

// Of a rigid body that nothing acts on, which starts with the angular velocity w (body axes).
struct FreeTurn {
  Vector3d turn;  // the rotation vector, in the axes of the start
  Vector3d w;     // at the end, in the axes of then
};

// A body's inertia about its centre of mass, ready to be turned.
class TurningInertia {
 public:
  explicit TurningInertia(const Matrix3d& inertia);

  // With the mean of both ends' velocities, w_m = (w0 + w1)/2, one step is
  //
  //   R1 = R0 exp(h w_m),   I w1 = exp(-h w_m) I w0
  //
  // which keeps momentum and energy both, is exact about principal axes, and of second order elsewhere. It takes as
  // many of them as its turns need to be short.
  FreeTurn turn(const Vector3d& w, double h) const;

  Vector3d gyroscopic_torque(const Vector3d& w) const { return (inertia_ * w).cross(w); }  // on the body
  Vector3d velocity_of(const Vector3d& momentum) const { return inverse_ * momentum; }
  bool is_round() const { return unevenness_ == 0; }  // w is constant

 private:
  Vector3d mean_velocity(const Vector3d& w, double h) const;

  Matrix3d inertia_, inverse_;
  double unevenness_ = 0;  // how fast w turns in the body, at most, relative to |w|^2
};

// The lone free bodies of a model.
class FreeTurns {
 public:
  explicit FreeTurns(const Model& model);

  // Adds so much of the gyroscopic torque to all that acts explicitly, in the layout of State::v: -1 takes it out.
  void add_torque(const State& state, double share, VectorXd& force) const;

  // `v` that a step h solved for, `displacement` = h v: afterwards those of bodies that turn freely.
  void turn(double h, VectorXd& displacement, VectorXd& v) const;

  const TurningInertia& inertia(int free_body) const { return bodies_[free_body].inertia; }  // as Model::free_trees

 private:
  struct Body {
    int w_start = 0;  // in State::v
    TurningInertia inertia;
  };
  std::vector<Body> bodies_;
};

}  // namespace stickslip
