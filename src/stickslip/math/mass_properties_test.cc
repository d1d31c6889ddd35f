#include "stickslip/math/mass_properties.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

constexpr double kRoundOff = 1e-14;  // a dozen operations on numbers of order 1

MassProperties box(double mass, const Vector3d& size, const Vector3d& center = Vector3d::Zero()) {
  const Vector3d s = size.cwiseAbs2();
  return {mass, center, mass / 12 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal().toDenseMatrix()};
}

// A rod of length L about its end has m L^2 / 3, from m L^2 / 12 about its middle.
TEST(MassProperties, InertiaAboutOriginIsThatOfARodAboutItsEnd) {
  const MassProperties rod = box(2, {3, 0, 0}, {1.5, 0, 0});
  const Matrix3d expected = Vector3d(0, 6, 6).asDiagonal();
  EXPECT_LE((rod.inertia_about_origin() - expected).norm(), kRoundOff);
}

// Seen from frame A: the mass stays, the centre moves with the pose, inertia turns; and back gives what it was.
TEST(MassProperties, ExpressedInAnotherFrameAndBackIsTheSame) {
  MassProperties in_B = box(2, {0.3, 0.5, 0.7}, {0.1, -0.2, 0.4});
  in_B = expressed_in(Pose::from_quaternion(exp_quaternion({0.4, 0.1, -0.9})), in_B);  // a full inertia matrix
  const Pose X_AB = Pose::from_quaternion(exp_quaternion({-0.7, 1.1, 0.2}), {1, -2, 0.5});
  const MassProperties in_A = expressed_in(X_AB, in_B);
  EXPECT_EQ(in_A.mass, 2);
  EXPECT_LE((in_A.center - (X_AB * in_B.center)).norm(), kRoundOff);
  EXPECT_LE((in_A.inertia - X_AB.rotation * in_B.inertia * X_AB.rotation.transpose()).norm(), kRoundOff);
  const MassProperties back = expressed_in(X_AB.inverse(), in_A);
  EXPECT_LE((back.center - in_B.center).norm(), kRoundOff);
  EXPECT_LE((back.inertia - in_B.inertia).norm(), kRoundOff);
}

// The sum of point masses has the inertia about the origin that the definition, sum m (|r|^2 1 - r r'), gives.
TEST(MassProperties, ParallelAxesAgreeWithPointMasses) {
  const std::array<Vector3d, 4> points{Vector3d(1, 0, 0), Vector3d(0, 2, 0.3), Vector3d(-1, 0.5, 1),
                                       Vector3d(0, 0, -1)};
  const std::array<double, 4> masses{1, 0.5, 2, 0.25};
  MassProperties sum;
  Matrix3d about_origin = Matrix3d::Zero();
  for (size_t i = 0; i < points.size(); ++i) {
    sum = sum + MassProperties{masses[i], points[i], Matrix3d::Zero()};
    about_origin += masses[i] * (points[i].squaredNorm() * Matrix3d::Identity() - points[i] * points[i].transpose());
  }
  EXPECT_LE((sum.inertia_about_origin() - about_origin).norm(), kRoundOff * 10);
  EXPECT_LE((point_inertia(masses[2], points[2]) - masses[2] * (-skew(points[2]) * skew(points[2]))).norm(), kRoundOff);
}

// Two half boxes side by side are the box.
TEST(MassProperties, TwoHalvesAreTheWhole) {
  const MassProperties whole = box(4, {2, 0.6, 0.8}, {0.5, 1, -2});
  const MassProperties halves = box(2, {1, 0.6, 0.8}, {0, 1, -2}) + box(2, {1, 0.6, 0.8}, {1, 1, -2});
  EXPECT_NEAR(halves.mass, 4, kRoundOff);
  EXPECT_LE((halves.center - whole.center).norm(), kRoundOff);
  EXPECT_LE((halves.inertia - whole.inertia).norm(), kRoundOff);
}

// Nothing added to nothing is nothing, not 0/0; nothing added to something leaves it alone.
TEST(MassProperties, AddingNothingChangesNothing) {
  const MassProperties nothing = MassProperties{} + MassProperties{};
  EXPECT_EQ(nothing.mass, 0);
  EXPECT_EQ(nothing.center, Vector3d::Zero());
  EXPECT_EQ(nothing.inertia, Matrix3d::Zero());
  const MassProperties something = box(2, {1, 2, 3}, {0.1, 0.2, 0.3});
  EXPECT_LE(((MassProperties{} + something).center - something.center).norm(), kRoundOff);
  EXPECT_LE(((MassProperties{} + something).inertia - something.inertia).norm(), kRoundOff);
}

// Far from the origin the inertia about the centre is not drowned: the sum never subtracts m |r|^2.
TEST(MassProperties, SumKeepsItsInertiaFarFromTheOrigin) {
  const Vector3d far(1e4, 0, 0);
  const MassProperties halves =
      box(2, {1, 0.6, 0.8}, far - Vector3d(0.5, 0, 0)) + box(2, {1, 0.6, 0.8}, far + Vector3d(0.5, 0, 0));
  // The centres are stored to 1e4 * 1e-16 = 1e-12; subtracting 4e8 would leave 1e-7.
  EXPECT_LE((halves.inertia - box(4, {2, 0.6, 0.8}).inertia).norm(), 1e-11);
}

// Principal moments and axes put the matrix together again, ascending, with a proper rotation.
TEST(PrincipalInertia, RebuildsTheMatrix) {
  const Matrix3d R = exp_quaternion({0.3, -1.2, 0.8}).toRotationMatrix();
  const Matrix3d inertia = R * Vector3d(3, 1, 2.5).asDiagonal() * R.transpose();
  const PrincipalInertia principal = principal_inertia(inertia);
  EXPECT_LE((principal.moments - Vector3d(1, 2.5, 3)).norm(), kRoundOff);
  EXPECT_LE((principal.axes * principal.moments.asDiagonal() * principal.axes.transpose() - inertia).norm(), kRoundOff);
  EXPECT_NEAR(principal.axes.determinant(), 1, kRoundOff);
}

// A plate (Iz = Ix + Iy), a rod (one moment 0) and a point are limits of real matter; beyond them is none.
TEST(IsPhysical, AcceptsRealMatterAndRefusesTheRest) {
  const auto diagonal = [](double x, double y, double z) { return Vector3d(x, y, z).asDiagonal().toDenseMatrix(); };
  EXPECT_TRUE(is_physical(diagonal(1, 2, 3)));
  EXPECT_TRUE(is_physical(diagonal(0, 2, 2)));
  EXPECT_TRUE(is_physical(Matrix3d::Zero()));
  EXPECT_FALSE(is_physical(diagonal(1, 2, 3.01)));
  EXPECT_FALSE(is_physical(diagonal(1, 1, -0.1)));
  const Matrix3d R = exp_quaternion({0.5, 0.5, -0.2}).toRotationMatrix();
  EXPECT_TRUE(is_physical(R * diagonal(1e-6, 2e-6, 3e-6) * R.transpose()));
  EXPECT_FALSE(is_physical(R * diagonal(1e-6, 2e-6, 3.1e-6) * R.transpose()));
  Matrix3d skewed = diagonal(1, 1, 1);
  skewed(0, 1) = 0.1;
  EXPECT_FALSE(is_physical(skewed));
  EXPECT_FALSE(is_physical(diagonal(std::numeric_limits<double>::quiet_NaN(), 1, 1)));
}

}  // namespace
}  // namespace stickslip
