#include "stickslip/geometry/mjcf_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stickslip/geometry/pair_material.h"

// Figures in this file are those of MuJoCo 4.0.0: mjContact after mj_forward of two spheres, and the depth at which a
// ball lies on a plane after 10 s.
namespace stickslip {
namespace {

Material material(const MjcfContact& contact) {
  Material out;
  out.mjcf = contact;
  return out;
}

MjcfContact with_solref(double a, double b) { return {.solref = {a, b}}; }

void expect_solref(const MjcfContact& contact, double a, double b) {
  EXPECT_DOUBLE_EQ(contact.solref[0], a);
  EXPECT_DOUBLE_EQ(contact.solref[1], b);
}

// Equal priority: friction and condim the larger, solref by solmix.
TEST(MjcfPair, EqualsMix) {
  const MjcfContact stiff = with_solref(0.02, 1);
  MjcfContact soft{.friction = {0.3, 0.005, 0.0001}, .solref = {0.05, 0.5}};
  expect_solref(mix(stiff, soft), 0.035, 0.75);
  EXPECT_EQ(mix(stiff, soft).friction[0], 1);
  soft.friction[0] = 1.3;
  MjcfContact heavy = stiff;
  heavy.solmix = 3;
  expect_solref(mix(heavy, soft), 0.0275, 0.875);
  EXPECT_EQ(mix(heavy, soft).friction[0], 1.3);
  MjcfContact weightless = stiff;
  weightless.solmix = 0;
  expect_solref(mix(weightless, soft), 0.05, 0.5);
  expect_solref(mix(soft, weightless), 0.05, 0.5);
  soft.solmix = 0;
  expect_solref(mix(weightless, soft), 0.035, 0.75);
}

TEST(MjcfPair, ImpedancesMix) {
  const MjcfContact a{.solimp = {0.8, 0.9, 0.01, 0.3, 3}};
  const MjcfContact b{.solmix = 3, .solimp = {0.6, 0.99, 0.02, 0.5, 2}};
  constexpr std::array<double, 5> kMujoco{0.65, 0.9675, 0.0175, 0.45, 2.25};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(mix(a, b).solimp[i], kMujoco[i], 1e-15);
}

// A solref of negative numbers is stiffness and damping: the smaller, which is the stiffer, counts.
TEST(MjcfPair, NegativeReferencesTakeTheSmaller) {
  expect_solref(mix(with_solref(-1000, -20), with_solref(0.05, 0.5)), -1000, -20);
  expect_solref(mix(with_solref(-1000, -20), with_solref(-500, -80)), -1000, -80);
}

TEST(MjcfPair, HigherPriorityDecides) {
  const MjcfContact first{.condim = 1, .priority = 1, .friction = {0.2, 0.005, 0.0001}};
  const MjcfContact second{.friction = {2, 0.005, 0.0001}, .solref = {0.05, 0.5}};
  for (const MjcfContact& mixed : {mix(first, second), mix(second, first)}) {
    EXPECT_EQ(mixed.condim, 1);
    EXPECT_EQ(mixed.friction[0], 0.2);
    expect_solref(mixed, 0.02, 1);
  }
}

// The depth of a lone body at rest is MuJoCo's, whatever its mass.
TEST(MjcfPair, BodiesSinkInAsInMujoco) {
  struct Case {
    MjcfContact contact;
    double depth;
  };
  const Case cases[] = {{{}, 0.0003671818424905},
                        {{.solref = {0.05, 1}}, 0.00122624999885},
                        {{.solref = {0.02, 0.5}}, 0.00010775542014967},
                        {{.solref = {-5000, -80}}, 0.00020723477890383},
                        {{.solimp = {0.5, 0.99, 0.01, 0.3, 3}}, 0.0030652189133365},
                        {{.solimp = {0.95, 0.5, 0.001, 0.5, 2}}, 5.801045582783e-05}};
  for (const Case& c : cases) {
    for (const double mass : {1e-3, 1.0, 1e3}) {
      const PairMaterial pair = pair_material(material(c.contact), material(c.contact), mass);
      // MuJoCo's own residual: its ball still moves by this part.
      EXPECT_NEAR(mass * kGravity / pair.stiffness / c.depth, 1, 1e-8);
      EXPECT_NEAR(pair.relaxation_time, pair.dissipation * c.depth, 1e-8 * pair.relaxation_time);
      EXPECT_EQ(pair.compliance_share_a, 0.5);
    }
  }
}

// By hand, for a flat impedance of 0.8 and solref 0.1, 1: B = 2/(0.8 0.1) = 25/s, so d B / g = 20/9.81.
TEST(MjcfPair, DissipationIsMujocosDampingAtRest) {
  const Material flat = material({.solref = {0.1, 1}, .solimp = {0.8, 0.8, 0.001, 0.5, 2}});
  EXPECT_DOUBLE_EQ(in_physical_units(flat, 3).dissipation, 20 / 9.81);
}

TEST(MjcfPair, FrictionlessWithCondimOne) {
  const MjcfContact slippery{.condim = 1};
  EXPECT_EQ(pair_material(material(slippery), material(slippery), 1).static_friction, 0);
  EXPECT_EQ(pair_material(material(slippery), material({}), 1).static_friction, 1);  // the larger condim
}

// Against a material of ours a geom is a spring in series.
TEST(MjcfPair, MeetsOurMaterials) {
  Material ours{.stiffness = kInfinity, .static_friction = 1, .dynamic_friction = 1};
  const Material geom = material({.friction = {0.5, 0, 0}});
  const PairMaterial rigid = pair_material(ours, geom, 2);
  EXPECT_EQ(rigid.stiffness, in_physical_units(geom, 2).stiffness);
  EXPECT_EQ(rigid.compliance_share_a, 0);
  EXPECT_DOUBLE_EQ(rigid.static_friction, 2 * 0.5 / 1.5);
  ours.stiffness = rigid.stiffness;
  EXPECT_DOUBLE_EQ(pair_material(ours, geom, 2).stiffness, 0.5 * rigid.stiffness);
}

// Numbers that mean nothing give numbers all the same: MuJoCo's default for mixed signs, no stiffness for zeros.
TEST(MjcfPair, SenselessParametersStayFinite) {
  EXPECT_EQ(in_physical_units(material(with_solref(0.02, -1)), 1).stiffness,
            in_physical_units(material({}), 1).stiffness);
  for (const MjcfContact& contact :
       {with_solref(0, 0), with_solref(-1e12, 0), with_solref(1e-12, 1e-12), MjcfContact{.solimp = {0, 1, 0, 0, 0}},
        MjcfContact{.solimp = {2, -1, -3, 5, -2}}}) {
    const Material physical = in_physical_units(material(contact), 1);
    EXPECT_TRUE(std::isfinite(physical.stiffness) && physical.stiffness >= 0);
    EXPECT_TRUE(std::isfinite(physical.dissipation) && physical.dissipation >= 0);
    EXPECT_TRUE(std::isfinite(*physical.relaxation_time));
  }
}

}  // namespace
}  // namespace stickslip
