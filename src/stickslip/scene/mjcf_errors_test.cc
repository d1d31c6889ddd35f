#include <fmt/format.h>

#include "stickslip/scene/mjcf_testing.h"

namespace stickslip {
namespace {

using namespace mjcf_testing;

TEST(Mjcf, BadNumberNamesFileLineColumn) {
  const ModelError error = error_of("<mujoco>\n <worldbody>\n  <geom size=\"1.0abc\"/></worldbody></mujoco>");
  EXPECT_EQ(error.code(), "bad-number");
  EXPECT_EQ(error.where().line, 3);
  EXPECT_EQ(error.where().column, 15);
  EXPECT_EQ(error.text(), "1.0abc");
}

TEST(Mjcf, MisspelledWordsAreErrorsWithASuggestion) {
  const ModelError element = error_of("<mujoco><worldbody><goem size='1'/></worldbody></mujoco>");
  EXPECT_EQ(element.code(), "unknown-element");
  EXPECT_NE(element.fix().find("'geom'"), std::string::npos);
  const ModelError attribute = error_of("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>");
  EXPECT_EQ(attribute.code(), "unknown-attribute");
  EXPECT_NE(attribute.fix().find("'size'"), std::string::npos);
  EXPECT_EQ(error_of("<mujoco><actuator><motor joint='x'/></actuator></mujoco>").code(), "unknown-name");
}

TEST(Mjcf, WhatHasNoCounterpartIsWarnedAboutOnceAKind) {
  const Scene scene = world(R"(<geom size=".1" condim="6"/><geom size=".1" condim="6"/>)",
                            R"(<option density="1.2"/><visual/><statistic/>)", "<sensor/><custom/>");
  EXPECT_TRUE(has_warning(scene, "unsupported-condim"));
  EXPECT_TRUE(has_warning(scene, "unsupported-fluid"));
  EXPECT_EQ(scene.warnings.size(), 4u);
}

// All of them are one: the class of everything.
TEST(Mjcf, OutermostDefaultsOfOneNameAddUp) {
  for (const char* class_name : {"", "class='main'", "class='robot'"}) {
    const std::string one = fmt::format("<default {}>", class_name);
    const Scene scene = read_scene_string(
        fmt::format("<mujoco>{0}<geom contype='4'/></default>{0}<geom conaffinity='8'/></default><worldbody><geom "
                    "size='1'/></worldbody></mujoco>",
                    one),
        SceneFormat::kMjcf);
    EXPECT_EQ(scene.world_geometry[0].contype, 4u);
    EXPECT_EQ(scene.world_geometry[0].conaffinity, 8u);
  }
}

TEST(Mjcf, BrokenModelsAreErrorsNotCrashes) {
  const std::pair<const char*, const char*> cases[] = {
      {"<robot/>", "not-mjcf"},
      {"<mujoco><worldbody><joint/></worldbody></mujoco>", "joint-in-world"},
      {"<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>", "bad-size"},
      {"<mujoco><worldbody><geom type='box' size='1 1'/></worldbody></mujoco>", "bad-size"},
      {"<mujoco><worldbody><geom type='blob' size='1'/></worldbody></mujoco>", "bad-keyword"},
      {"<mujoco><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>", "unknown-name"},
      {"<mujoco><worldbody><geom size='1' mass='-1'/></worldbody></mujoco>", "negative-mass"},
      {"<mujoco><worldbody><body name='a'/><body name='a'/></worldbody></mujoco>", "repeated-name"},
      {"<mujoco><default class='a'/><default class='b'/></mujoco>", "two-default-classes"},
      {"<mujoco><default/><default class='b'/></mujoco>", "two-default-classes"},
      {"<mujoco><default class='a'/><default/></mujoco>", "two-default-classes"},
      {"<mujoco><worldbody><body><joint axis='0 0 0'/></body></worldbody></mujoco>", "bad-axis"},
      {"<mujoco><worldbody><body quat='0 0 0 0'/></worldbody></mujoco>", "bad-orientation"},
      {"<mujoco><worldbody><body><body><freejoint/></body></body></worldbody></mujoco>", "bad-free-joint"},
      {"<mujoco><worldbody><body><inertial pos='0 0 0' mass='1'/></body></worldbody></mujoco>", "missing-attribute"},
      {"<mujoco><worldbody><replicate count='0'/></worldbody></mujoco>", "bad-count"},
      {"<mujoco><worldbody><replicate count='9999'><replicate count='9999'/></replicate></worldbody></mujoco>",
       "bad-count"},
      {"<mujoco><worldbody><body><geom size='1e200'/></body></worldbody></mujoco>", "impossible-inertia"},
      {"<mujoco><worldbody><body><inertial pos='0 0 0' mass='1' diaginertia='-1 1 1'/></body></worldbody></mujoco>",
       "impossible-inertia"},
      {"<mujoco><compiler eulerseq='abc'/></mujoco>", "bad-eulerseq"},
      {"<mujoco><compiler coordinate='global'/><worldbody><frame/></worldbody></mujoco>", "unsupported-coordinate"},
      {"<mujoco><compiler coordinate='global'/><worldbody><body><freejoint/></body></worldbody></mujoco>",
       "unsupported-coordinate"},
      {"<mujoco><compiler coordinate='polar'/></mujoco>", "bad-keyword"},
      {"<mujoco><keyframe><key qpos='1'/></keyframe></mujoco>", "wrong-count"},
      {"<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 9'/></asset><worldbody><geom "
       "type='mesh' mesh='m'/></worldbody></mujoco>",
       "bad-face"},
      {"<mujoco><asset><hfield name='h' nrow='2' ncol='2000000000' size='1 1 1 1'/></asset><worldbody><geom "
       "type='hfield' hfield='h'/></worldbody></mujoco>",
       "bad-height-field"}};
  for (const auto& [text, code] : cases) EXPECT_EQ(error_of(text).code(), code) << text;
}

}  // namespace
}  // namespace stickslip
