#include "stickslip/convert/exact_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

namespace stickslip::convert {
namespace {

TEST(NumberText, ReadsBackAsTheSameDouble) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> mantissa(-10, 10);
  std::uniform_int_distribution<int> exponent(-300, 300);
  for (int i = 0; i < 1000; ++i) {
    const double x = mantissa(random) * std::pow(10.0, exponent(random));
    EXPECT_EQ(std::strtod(number_text(x).c_str(), nullptr), x);
  }
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(0.1), "0.1");
}

// Both claims of a stable rotation: it is the one given, and a reader does not change what is written.
TEST(StableQuaternion, IsTheRotationAndWrittenAgainAfterReading) {
  std::srand(1);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3d R = Quaterniond::UnitRandom().toRotationMatrix();
    const Quaterniond q = stable_quaternion(R);
    EXPECT_TRUE(q.toRotationMatrix().isApprox(R, 1e-14));  // the fifteenth decimal, twice for each entry of a matrix
    EXPECT_EQ(stable_quaternion(q.normalized().toRotationMatrix()).coeffs(), q.coeffs());
  }
}

}  // namespace
}  // namespace stickslip::convert
