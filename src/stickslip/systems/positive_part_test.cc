#include "stickslip/systems/positive_part.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

MatrixXd projected(MatrixXd A) {
  PositivePart part;
  part.project(A);
  return A;
}

MatrixXd random_matrix(int n, forest_testing::Random& random) {
  return MatrixXd::NullaryExpr(n, n, [&] { return random.uniform(-1, 1); });
}

// Eigen's decomposition says the same; round-off of matrices of order 1.
TEST(PositivePart, EqualsEigenDecomposition) {
  forest_testing::Random random(1);
  for (int n : {1, 2, 3, 7, 20}) {
    const MatrixXd A = random_matrix(n, random);
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5 * (A + A.transpose()));
    const MatrixXd expected =
        solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() * solver.eigenvectors().transpose();
    EXPECT_LE((projected(A) - expected).norm(), 1e-13 * n) << n;
  }
}

// What is symmetric and positive already keeps its bits, degrees of freedom that nothing acts on included.
TEST(PositivePart, LeavesPositiveMatricesAlone) {
  forest_testing::Random random(2);
  const MatrixXd B = random_matrix(5, random);
  MatrixXd A = MatrixXd::Zero(7, 7);
  A.topLeftCorner(5, 5) = B * B.transpose();
  A = 0.5 * (A + A.transpose()).eval();
  EXPECT_EQ(projected(A), A);
  EXPECT_EQ(projected(MatrixXd::Zero(3, 3)), MatrixXd::Zero(3, 3));
}

TEST(PositivePart, OfANegativeMatrixIsZero) { EXPECT_LE(projected(-MatrixXd::Identity(4, 4)).norm(), 0); }

// Ten decades between degrees of freedom: the small ones keep their digits.
TEST(PositivePart, KeepsSmallEntriesOfGradedMatrices) {
  MatrixXd A(3, 3);
  A << 1e8, 1e2, 0, 1e2, 1e-2, 1e-3, 0, 1e-3, -1e-2;
  const MatrixXd P = projected(A);
  EXPECT_NEAR(P(0, 0), 1e8, 1e-6);
  EXPECT_NEAR(P(1, 1), 1e-2 + 1e-6 / 2e-2 * 0.5, 1e-4);
  EXPECT_GE(Eigen::SelfAdjointEigenSolver<MatrixXd>(P.bottomRightCorner(2, 2)).eigenvalues().minCoeff(), -1e-16);
}

}  // namespace
}  // namespace stickslip
