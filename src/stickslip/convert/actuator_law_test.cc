#include "stickslip/convert/actuator_law.h"

#include <gtest/gtest.h>

namespace stickslip::convert {
namespace {

TEST(ActuatorLaw, KeepsTheWordOfTheFileWhereItFits) {
  EXPECT_EQ(actuator_law({.type = "motor"}).type, "motor");
  EXPECT_EQ(actuator_law({.type = "general"}).type, "general");
  const ActuatorLaw servo = actuator_law({.type = "position", .gain = {5, 0, 0}, .bias = {0, -5, -1}});
  EXPECT_EQ(servo.type, "position");
  EXPECT_EQ(servo.kp, 5);
  EXPECT_EQ(servo.kd, 1);
}

// MJCF's kinds are many, and its defaults can change any number of them.
TEST(ActuatorLaw, FindsTheShortFormOfOtherKinds) {
  const ActuatorLaw speed = actuator_law({.type = "intvelocity", .gain = {5, 0, 0}, .bias = {0, -5, 0}});
  EXPECT_EQ(speed.type, "position");
  EXPECT_EQ(actuator_law({.type = "motor", .gain = {2, 0, 0}}).type, "general");
  EXPECT_EQ(actuator_law({.type = "position", .gain = {5, 0, 0}, .bias = {0, -4, 0}}).type, "general");
  EXPECT_EQ(actuator_law({.type = "damper", .gain = {0, 0, -3}}).kv, 3);
}

}  // namespace
}  // namespace stickslip::convert
