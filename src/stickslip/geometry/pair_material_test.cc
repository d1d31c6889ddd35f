#include "stickslip/geometry/pair_material.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stickslip
