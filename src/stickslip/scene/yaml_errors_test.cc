#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stickslip/scene/yaml.h"

namespace stickslip {
namespace {

using testing::HasSubstr;

ModelError error_of(const std::string& text) {
  try {
    read_yaml_string(text, ".");
  } catch (const ModelError& e) {
    return e;
  }
  ADD_FAILURE() << "no error for: " << text;
  return ModelError("none", {}, "");
}

std::string code_of(const std::string& text) { return error_of(text).code(); }

std::string with_body(const std::string& keys) { return "bodies: [{name: b, " + keys + "}]"; }

TEST(YamlErrors, UnknownKeyNamesPlaceAndLikelyKey) {
  const ModelError e = error_of("bodies:\n  - name: b\n    mas: 1\n    fixed: true\n");
  EXPECT_EQ(e.code(), "unknown-key");
  EXPECT_EQ(e.where().line, 3);
  EXPECT_EQ(e.where().column, 5);
  EXPECT_EQ(e.text(), "mas");
  EXPECT_THAT(e.fix(), HasSubstr("did you mean 'mass'"));
}

TEST(YamlErrors, UnknownKeysAreFoundAtEveryLevel) {
  for (const std::string text :
       {"gravitas: [0, 0, 0]", "materials: {m: {stifness: 1}}",
        "bodies: [{name: b, fixed: true, pose: {pos: [0, 0, 0]}}]",
        "bodies: [{name: b, fixed: true, geometry: [{sphere: {radius: 1, size: 2}}]}]",
        "joints: [{name: j, type: revolute, child: b, limits: {low: 1}}]",
        "joints: [{name: j, type: revolute, child: b, pitch: 1}]", "simulation: {tolerance: 1}",
        "actuators: [{name: a, joint: j, type: motor, kp: 1}]", "constraints: [{type: weld, body_a: a, length: 1}]",
        "constraints: [{type: ball, body_a: a, rotational_stiffness: 1}]"}) {
    EXPECT_EQ(code_of(text), "unknown-key") << text;
  }
}

TEST(YamlErrors, NumbersAreStrict) {
  for (const std::string number : {"1.0abc", "abc", "0x10", "1_000", "inf", "nan", "1e999", "--1", "1,5", "+-1"}) {
    const ModelError e = error_of("bodies: [{name: b, mass: \n  " + number + "}]");
    EXPECT_TRUE(e.code() == "bad-number" || e.code() == "bad-yaml" || e.code() == "unknown-key") << e.what();
  }
  const ModelError e = error_of("bodies:\n  - {name: rod, mass: 1.0abc}\n");
  EXPECT_EQ(e.code(), "bad-number");
  EXPECT_EQ(e.where().line, 2);
  EXPECT_EQ(e.where().column, 23);
  EXPECT_EQ(e.text(), "1.0abc");
  EXPECT_THAT(e.message(), HasSubstr("mass of body 'rod'"));
}

TEST(YamlErrors, NanAndInfinityAreRefusedWhereTheyMeanNothing) {
  EXPECT_EQ(code_of(with_body("mass: .nan")), "bad-value");
  EXPECT_EQ(code_of(with_body("mass: .inf")), "bad-value");
  EXPECT_EQ(code_of("gravity: [0, 0, -.inf]"), "bad-value");
  EXPECT_EQ(code_of("materials: {m: {stiffness: .nan}}"), "bad-value");
  EXPECT_EQ(code_of("joints: [{name: j, type: revolute, child: b, limits: {lower: .nan}}]"), "bad-value");
}

TEST(YamlErrors, SignsAndSizesAreChecked) {
  EXPECT_EQ(code_of(with_body("mass: -1")), "bad-value");
  EXPECT_EQ(code_of(with_body("fixed: true, geometry: [{sphere: {radius: 0}}]")), "bad-value");
  EXPECT_EQ(code_of("gravity: [0, 0]"), "bad-size");
  EXPECT_EQ(code_of("gravity: 9.81"), "bad-type");
  EXPECT_EQ(code_of("gravity: [0, 0, \"-9.81\"]"), "bad-type");
  EXPECT_EQ(code_of("materials: {m: {friction: {static: 0.5, dynamic: 0.6}}}"), "bad-friction");
  EXPECT_EQ(code_of("joints: [{name: j, type: revolute, child: b, limits: {lower: 1, upper: 0}}]"), "bad-range");
  EXPECT_EQ(code_of("joints: [{name: j, type: revolute, child: b, axis: [0, 0, 0]}]"), "zero-axis");
  EXPECT_EQ(code_of("joints: [{name: j, type: ball, child: b, position: [1, 0, 0]}]"), "bad-size");
  EXPECT_EQ(code_of("frames: [{name: f, pose: {quaternion: [0, 0, 0, 0]}}]"), "bad-value");
  EXPECT_EQ(code_of("frames: [{name: f, pose: {quaternion: [1, 0, 0, 0], rpy: [0, 0, 0]}}]"), "two-rotations");
}

TEST(YamlErrors, ABodyNeedsExactlyOneSourceOfMass) {
  const ModelError e = error_of("bodies:\n  - {name: rod}\n");
  EXPECT_EQ(e.code(), "missing-mass");
  EXPECT_EQ(e.where().line, 2);
  EXPECT_THAT(e.fix(), HasSubstr("density"));
  EXPECT_EQ(code_of(with_body("mass: 0")), "zero-mass");
  EXPECT_EQ(code_of(with_body("mass: 1")), "point-mass");
  EXPECT_EQ(code_of(with_body("mass: 1, density: 1")), "two-masses");
  EXPECT_EQ(code_of(with_body("density: 1")), "no-volume");
  EXPECT_EQ(code_of(with_body("density: 1, geometry: [{half_space: {}}]")), "no-volume");
  EXPECT_EQ(code_of(with_body("inertia: {ixx: 1, iyy: 1, izz: 1}")), "missing-mass");
  EXPECT_EQ(code_of(with_body("mass: 1, inertia: {ixx: 1, iyy: 1, izz: 3}")), "unphysical-inertia");
}

TEST(YamlErrors, HowABodyMovesIsSaidOnce) {
  const std::string joint = "\njoints: [{name: j, type: revolute, child: b}]";
  EXPECT_EQ(code_of(with_body("mass: 1, pose: {position: [1, 0, 0]}") + joint), "two-motions");
  EXPECT_EQ(code_of(with_body("fixed: true") + joint), "two-motions");
  EXPECT_EQ(code_of(with_body("fixed: true, mocap: true")), "two-motions");
  EXPECT_EQ(code_of(with_body("fixed: true, velocity: {linear: [1, 0, 0]}")), "two-motions");
  EXPECT_EQ(code_of(with_body("motion: {velocity: 1, amplitude: 1, frequency: 1}")), "bad-motion");
  EXPECT_EQ(code_of("joints: [{name: j, type: revolute, child: b, position: 1, motion: {velocity: 1}}]"),
            "two-motions");
  EXPECT_EQ(code_of("bodies: [{name: b, mass: 1, pose: {position: [1, 0, 0]}, geometry: [{sphere: {radius: 1}}]}]\n"
                    "joints: [{name: j, type: free, child: b, position: [0, 0, 0, 1, 0, 0, 0]}]"),
            "two-motions");
  EXPECT_EQ(code_of(with_body("motion: {table: [[0, 0], [0, 1]]}")), "bad-table");
  EXPECT_EQ(code_of(with_body("motion: {table: [[0, 0]]}")), "bad-table");
}

TEST(YamlErrors, AGeometryHasOneShape) {
  EXPECT_EQ(code_of(with_body("fixed: true, geometry: [{}]")), "no-shape");
  EXPECT_EQ(code_of(with_body("fixed: true, geometry: [{sphere: {radius: 1}, half_space: {}}]")), "two-shapes");
  const ModelError e = error_of(with_body("fixed: true, geometry: [{spere: {radius: 1}}]"));
  EXPECT_EQ(e.code(), "unknown-key");
  EXPECT_THAT(e.fix(), HasSubstr("'sphere'"));
}

TEST(YamlErrors, NamesAreUniqueAndTheWorldHasItsOwn) {
  const ModelError e = error_of("bodies:\n  - {name: b, fixed: true}\n  - {name: b, fixed: true}\n");
  EXPECT_EQ(e.code(), "duplicate-name");
  EXPECT_EQ(e.where().line, 3);
  EXPECT_EQ(code_of("bodies: [{name: world, fixed: true}]"), "reserved-name");
  EXPECT_EQ(code_of("joints: [{name: j, type: fixed, parent: b, child: world}]"), "bad-child");
}

TEST(YamlErrors, UnknownMaterialSuggestsTheRightOne) {
  const ModelError e = error_of(
      "materials: {rubber: {}}\nbodies: [{name: b, fixed: true, geometry: [{half_space: {}, material: ruber}]}]");
  EXPECT_EQ(e.code(), "unknown-material");
  EXPECT_EQ(e.where().line, 2);
  EXPECT_THAT(e.fix(), HasSubstr("'rubber'"));
}

TEST(YamlErrors, UnknownTypesSuggestTheRightOne) {
  EXPECT_THAT(error_of("joints: [{name: j, type: revolut, child: b}]").fix(), HasSubstr("'revolute'"));
  EXPECT_THAT(error_of("actuators: [{name: a, joint: j, type: motr}]").fix(), HasSubstr("'motor'"));
  EXPECT_THAT(error_of("constraints: [{type: wled}]").fix(), HasSubstr("'weld'"));
}

TEST(YamlErrors, AccuracyAndTimeStepTogetherAreAnError) {
  EXPECT_EQ(code_of("simulation: {accuracy: 1e-3, time_step: 1e-3}"), "accuracy-and-time-step");
}

TEST(YamlErrors, BrokenYamlIsAModelErrorWithItsLine) {
  const ModelError e = error_of("gravity: [0, 0\nbodies: }");
  EXPECT_EQ(e.code(), "bad-yaml");
  EXPECT_GE(e.where().line, 1);
  EXPECT_EQ(code_of(""), "empty-file");
  EXPECT_EQ(code_of("[1, 2]"), "bad-type");
  EXPECT_EQ(code_of("name: a\n---\nname: b\n"), "two-documents");
  EXPECT_EQ(code_of("name: a\nname: b\n"), "duplicate-key");
  EXPECT_EQ(code_of("name: !!python/object a\n"), "unsupported-tag");
}

TEST(YamlErrors, AliasesThatMultiplyAreRefusedAtOnce) {
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 12; ++i) {
    bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i, i - 1);
  }
  EXPECT_EQ(code_of(bomb), "too-large");
  EXPECT_EQ(code_of("bodies: &a [*a]"), "bad-alias");
}

TEST(YamlErrors, DeepNestingIsRefused) {
  const std::string deep = "gravity: " + std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(code_of(deep), "too-deep");
  EXPECT_EQ(code_of(std::string(100000, '[')), "too-deep");
}

// What stands behind a "#" is no bracket; where a quote makes that doubtful, it counts.
TEST(YamlErrors, BracketsInCommentsDoNotNest) {
  const std::string brackets(20000, '[');
  EXPECT_NO_THROW(read_yaml_string("# " + brackets + "\nname: a  # " + brackets + "\n#" + brackets, "."));
  EXPECT_NO_THROW(read_yaml_string("name: a\nbodies:  # " + brackets + "\n  []\n", "."));
  EXPECT_EQ(code_of("name: [\" #\", " + brackets), "too-deep");
  EXPECT_EQ(code_of("name: [\"a\n #\", " + brackets), "too-deep");
  EXPECT_EQ(code_of("name: [a#" + brackets), "too-deep");
}

}  // namespace
}  // namespace stickslip
