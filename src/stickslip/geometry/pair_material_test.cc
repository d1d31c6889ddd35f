#include "stickslip/geometry/pair_material.h"

#include <gtest/gtest.h>

#include <cmath>

namespace stickslip {
namespace {

Material steel() {
  return {
      .stiffness = 3e6, .dissipation = 2, .static_friction = 0.3, .dynamic_friction = 0.2, .stiction_tolerance = 1e-4};
}

Material rubber() {
  return {.stiffness = 1e6,
          .dissipation = 10,
          .relaxation_time = 0.04,
          .static_friction = 0.9,
          .dynamic_friction = 0.6,
          .stiction_tolerance = 1e-3};
}

// Worked by hand: 1/k = 1/3e6 + 1/1e6; rubber gives way by three quarters.
TEST(PairMaterial, CombinesAsSpringsInSeries) {
  const PairMaterial pair = combine(steel(), rubber());
  EXPECT_DOUBLE_EQ(pair.stiffness, 0.75e6);
  EXPECT_DOUBLE_EQ(pair.compliance_share_a, 0.25);
  EXPECT_DOUBLE_EQ(pair.dissipation, 0.25 * 2 + 0.75 * 10);
  EXPECT_DOUBLE_EQ(pair.relaxation_time, 0.75 * 0.04);
  EXPECT_DOUBLE_EQ(pair.static_friction, 0.45);
  EXPECT_DOUBLE_EQ(pair.dynamic_friction, 0.3);
  EXPECT_DOUBLE_EQ(pair.stiction_tolerance, 1e-4);
}

// Exchanging the sides exchanges their shares and changes nothing else, to the last bit.
TEST(PairMaterial, IsSymmetric) {
  const PairMaterial ab = combine(steel(), rubber());
  const PairMaterial ba = combine(rubber(), steel());
  EXPECT_EQ(ab.stiffness, ba.stiffness);
  EXPECT_EQ(ab.dissipation, ba.dissipation);
  EXPECT_EQ(ab.static_friction, ba.static_friction);
  EXPECT_EQ(ab.compliance_share_a, 1 - ba.compliance_share_a);
}

// Against a rigid side the pair is the other side alone, which gives way by the whole overlap.
TEST(PairMaterial, RigidSideTakesNoShare) {
  Material rigid = steel();
  rigid.stiffness = kInfinity;
  const PairMaterial pair = combine(rigid, rubber());
  EXPECT_EQ(pair.stiffness, rubber().stiffness);
  EXPECT_EQ(pair.dissipation, rubber().dissipation);
  EXPECT_EQ(pair.relaxation_time, 0.04);
  EXPECT_EQ(pair.compliance_share_a, 0);
  EXPECT_EQ(combine(rubber(), rigid).compliance_share_a, 1);
}

TEST(PairMaterial, TwoRigidSidesStayRigid) {
  Material rigid = steel();
  rigid.stiffness = kInfinity;
  const PairMaterial pair = combine(rigid, rigid);
  EXPECT_EQ(pair.stiffness, kInfinity);
  EXPECT_EQ(pair.compliance_share_a, 0.5);
  EXPECT_EQ(pair.dissipation, rigid.dissipation);
}

// Degenerate numbers give numbers: no friction at all, no stiffness on one side or on both.
TEST(PairMaterial, ZerosAreNotNumbersDividedByZero) {
  Material nothing{.stiffness = 0, .dissipation = 0, .static_friction = 0, .dynamic_friction = 0};
  const PairMaterial both = combine(nothing, nothing);
  EXPECT_EQ(both.stiffness, 0);
  EXPECT_EQ(both.static_friction, 0);
  EXPECT_EQ(combine(nothing, rubber()).stiffness, 0);
  Material rigid = steel();
  rigid.stiffness = kInfinity;
  EXPECT_EQ(combine(rigid, nothing).stiffness, 0);
}

// One slippery side makes the pair slippery.
TEST(PairMaterial, FrictionlessSideWins) {
  Material ice = rubber();
  ice.static_friction = ice.dynamic_friction = 0;
  EXPECT_EQ(combine(steel(), ice).static_friction, 0);
}

TEST(PairMaterial, MaterialOfThePairIsTakenAsItIs) {
  const PairMaterial pair = whole_pair(rubber());
  EXPECT_EQ(pair.stiffness, 1e6);
  EXPECT_EQ(pair.dissipation, 10);
  EXPECT_EQ(pair.relaxation_time, 0.04);
  EXPECT_EQ(pair.compliance_share_a, 0.5);
}

// Hertz: E* of both sides in series, and R that of the two surfaces.
TEST(PairMaterial, CurvedSurfacesWithAModulusFollowHertz) {
  Material steel{.dissipation = 1, .youngs_modulus = 2e11, .poisson_ratio = 0.3};
  Material rubber{.dissipation = 3, .youngs_modulus = 1e7, .poisson_ratio = 0.5};
  const PairMaterial pair = combine(steel, rubber, 0.02);
  const double soft = 0.91 / 2e11 + 0.75 / 1e7;
  EXPECT_DOUBLE_EQ(pair.hertz, 4.0 / 3 / soft * std::sqrt(0.02));
  EXPECT_NEAR(pair.compliance_share_a, 0.91 / 2e11 / soft, 1e-15);
  EXPECT_NEAR(pair.dissipation, 3, 1e-3);
  EXPECT_DOUBLE_EQ(pair.force_at(1e-4), pair.hertz * 1e-6);
  const double e = 1e-9;
  EXPECT_NEAR(pair.stiffness_at(1e-4), (pair.force_at(1e-4 + e) - pair.force_at(1e-4 - e)) / (2 * e),
              1e-6 * pair.stiffness_at(1e-4));
  EXPECT_NEAR(pair.force_at(1e-4), (pair.energy_at(1e-4 + e) - pair.energy_at(1e-4 - e)) / (2 * e),
              1e-6 * pair.force_at(1e-4));
  EXPECT_EQ(pair.force_at(-1e-4), 0);
}

// A side without a modulus is rigid beside one that has it; without curvature both are springs.
TEST(PairMaterial, HertzNeedsACurvatureAndOneModulus) {
  Material rubber{.stiffness = 1e5, .youngs_modulus = 1e7, .poisson_ratio = 0.5};
  const Material plain{.stiffness = 1e5};
  EXPECT_DOUBLE_EQ(combine(rubber, plain, 0.02).hertz, 4.0 / 3 * 1e7 / 0.75 * std::sqrt(0.02));
  EXPECT_EQ(combine(rubber, plain, 0.02).compliance_share_a, 1);
  EXPECT_EQ(combine(rubber, plain).hertz, 0);
  EXPECT_DOUBLE_EQ(combine(rubber, plain).stiffness, 5e4);
  EXPECT_EQ(combine(plain, plain, 0.02).hertz, 0);
}

}  // namespace
}  // namespace stickslip
