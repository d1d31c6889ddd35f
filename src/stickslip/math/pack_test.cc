#include "stickslip/math/pack.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "stickslip/math/types.h"

namespace stickslip {
namespace {

// Four rows of consecutive numbers become four columns, exactly; a second transpose brings the rows back.
TEST(Pack, TransposeTurnsRowsIntoColumnsAndBack) {
  std::array<double, 16> numbers{};
  for (size_t i = 0; i < 16; ++i) numbers[i] = static_cast<double>(i);
  std::array<Pack, 4> rows;
  for (size_t i = 0; i < 4; ++i) rows[i] = load_pack(&numbers[4 * i]);
  transpose(rows[0], rows[1], rows[2], rows[3]);
  for (size_t i = 0; i < 4; ++i) {
    for (size_t j = 0; j < 4; ++j) EXPECT_EQ(rows[i][j], numbers[4 * j + i]);
  }
  transpose(rows[0], rows[1], rows[2], rows[3]);
  std::array<double, 4> back{};
  for (size_t i = 0; i < 4; ++i) {
    store_pack(rows[i], back.data());
    for (size_t j = 0; j < 4; ++j) EXPECT_EQ(back[j], numbers[4 * i + j]);
  }
}

// Each lane of the packed products is Eigen's product of that lane.
TEST(Pack, LanesEqualEigen) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::array<Matrix3d, 4> A, S;
  std::array<Vector3d, 4> a, b;
  PackMatrix packed_A{};
  PackSymmetric packed_S{};
  PackVector packed_a{}, packed_b{};
  for (size_t i = 0; i < 4; ++i) {
    A[i] = Matrix3d::NullaryExpr([&] { return uniform(random); });
    S[i] = A[i] + A[i].transpose();
    a[i] = Vector3d::NullaryExpr([&] { return uniform(random); });
    b[i] = Vector3d::NullaryExpr([&] { return uniform(random); });
    const auto set = [i](PackVector& to, const Vector3d& from) {
      to.x[i] = from.x();
      to.y[i] = from.y();
      to.z[i] = from.z();
    };
    set(packed_A.c0, A[i].col(0));
    set(packed_A.c1, A[i].col(1));
    set(packed_A.c2, A[i].col(2));
    set(packed_a, a[i]);
    set(packed_b, b[i]);
    packed_S.xx[i] = S[i](0, 0);
    packed_S.yy[i] = S[i](1, 1);
    packed_S.zz[i] = S[i](2, 2);
    packed_S.xy[i] = S[i](0, 1);
    packed_S.xz[i] = S[i](0, 2);
    packed_S.yz[i] = S[i](1, 2);
  }
  constexpr double kRoundOff = 4e-16 * 4;  // sums of three products of numbers up to 2
  const auto lane = [](const PackVector& v, size_t i) { return Vector3d(v.x[i], v.y[i], v.z[i]); };
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_LE((lane(packed_A * packed_b, i) - A[i] * b[i]).norm(), kRoundOff);
    EXPECT_LE((lane(transposed_times(packed_A, packed_b), i) - A[i].transpose() * b[i]).norm(), kRoundOff);
    EXPECT_LE((lane(packed_S * packed_b, i) - S[i] * b[i]).norm(), kRoundOff);
    EXPECT_LE((lane(cross(packed_a, packed_b), i) - a[i].cross(b[i])).norm(), kRoundOff);
    EXPECT_NEAR(dot(packed_a, packed_b)[i], a[i].dot(b[i]), kRoundOff);
  }
}

}  // namespace
}  // namespace stickslip
