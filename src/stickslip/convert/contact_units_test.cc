#include "stickslip/convert/contact_units.h"

#include <gtest/gtest.h>

#include "stickslip/geometry/mjcf_pair.h"

namespace stickslip::convert {
namespace {

constexpr double kTimeStep = 1e-3;

// The rule there and back: tolerances are round-off, through a depth found by iteration to 1e-14.
TEST(MjcfUnits, AreTheInverseOfPhysicalUnits) {
  for (const double mass : {0.1, 3.0, 80.0}) {
    for (const double stiffness : {1e4, 1e5, 1e6}) {
      for (const double dissipation : {0.0, 0.2, 10.0}) {
        Material material{.stiffness = stiffness, .dissipation = dissipation, .dynamic_friction = 0.3};
        const MjcfUnits units = in_mjcf_units(material, mass, kTimeStep);
        ASSERT_FALSE(units.too_stiff);
        Material there{.mjcf = units.contact};
        const Material back = in_physical_units(there, mass);
        EXPECT_NEAR(back.stiffness, stiffness, 1e-10 * stiffness);
        EXPECT_NEAR(back.dissipation, dissipation, 1e-12);
        EXPECT_EQ(back.dynamic_friction, 0.3);
      }
    }
  }
}

TEST(MjcfUnits, TakeARelaxationTimeAsDampingAtRest) {
  const Material material{.stiffness = 1e5, .dissipation = 0, .relaxation_time = 0.01};
  Material there{.mjcf = in_mjcf_units(material, 2, kTimeStep).contact};
  EXPECT_NEAR(in_physical_units(there, 2).relaxation_time.value(), 0.01, 1e-12);
}

TEST(MjcfUnits, SoftenWhatTheTimeStepCannotFollow) {
  const MjcfUnits rigid = in_mjcf_units({.stiffness = kInfinity}, 1, kTimeStep);
  EXPECT_TRUE(rigid.too_stiff);
  EXPECT_GE(rigid.contact.solref[0], 2 * kTimeStep);
  EXPECT_TRUE(in_mjcf_units({.stiffness = 1e12}, 1, kTimeStep).too_stiff);
}

TEST(MjcfUnits, WithoutFrictionAreFrictionless) {
  EXPECT_EQ(in_mjcf_units({.static_friction = 0, .dynamic_friction = 0}, 1, kTimeStep).contact.condim, 1);
}

}  // namespace
}  // namespace stickslip::convert
