#include "stickslip/math/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace stickslip {

Matrix3d point_inertia(double mass, const Vector3d& r) {
  return mass * (r.squaredNorm() * Matrix3d::Identity() - r * r.transpose());
}

Matrix3d MassProperties::inertia_about_origin() const { return inertia + point_inertia(mass, center); }

MassProperties expressed_in(const Pose& X_AB, const MassProperties& in_B) {
  const Matrix3d& R = X_AB.rotation;
  return {in_B.mass, X_AB * in_B.center, R * in_B.inertia * R.transpose()};
}

MassProperties operator+(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  // Massless parts still carry a frame: keep the inertia, and a centre that means something.
  if (mass == 0) return {0, a.center, a.inertia + b.inertia};
  const Vector3d center = (a.mass * a.center + b.mass * b.center) / mass;
  // Parallel axes through the reduced mass: no cancellation, and exact where the centres coincide.
  const double reduced_mass = a.mass * b.mass / mass;
  return {mass, center, a.inertia + b.inertia + point_inertia(reduced_mass, a.center - b.center)};
}

PrincipalInertia principal_inertia(const Matrix3d& inertia) {
  Eigen::SelfAdjointEigenSolver<Matrix3d> solver(inertia);
  PrincipalInertia out{solver.eigenvalues(), solver.eigenvectors()};
  if (out.axes.determinant() < 0) out.axes.col(2) *= -1;
  return out;
}

Vector3d nearest_physical_moments(Vector3d moments) {
  moments = moments.cwiseMax(0);
  std::sort(moments.begin(), moments.end());
  const double excess = moments[2] - moments[0] - moments[1];
  if (excess > 0) moments += Vector3d(excess / 3, excess / 3, -excess / 3);
  return moments;
}

bool is_physical(const Matrix3d& inertia, double relative_tolerance) {
  if (!inertia.allFinite()) return false;
  const double slack = relative_tolerance * inertia.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > slack) return false;
  const Vector3d moments = principal_inertia(inertia).moments;
  return moments[0] >= -slack && moments[2] <= moments[0] + moments[1] + slack;
}

}  // namespace stickslip
