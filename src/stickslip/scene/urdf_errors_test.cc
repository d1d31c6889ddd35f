#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stickslip/scene/urdf.h"

namespace stickslip {
namespace {

using testing::HasSubstr;

ModelError error_of(const std::string& inside) {
  try {
    read_urdf_string("<robot name='r'>\n" + inside + "\n</robot>", ".");
  } catch (const ModelError& e) {
    return e;
  }
  ADD_FAILURE() << "no error for: " << inside;
  return ModelError("none", {}, "");
}

std::string code_of(const std::string& inside) { return error_of(inside).code(); }

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& inside = "", const std::string& type = "continuous") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" +
         inside + "</joint>";
}

std::string inertial(const std::string& mass) {
  return "<link name='arm'><inertial><mass value='" + mass +
         "'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
}

TEST(UrdfErrors, BadNumbersNameLineColumnAndText) {
  const ModelError e = error_of("<link name='arm'>\n <inertial><mass value='1.0abc'/></inertial></link>");
  EXPECT_EQ(e.code(), "bad-number");
  EXPECT_EQ(e.where().line, 3);
  EXPECT_EQ(e.where().column, 25);
  EXPECT_EQ(e.text(), "1.0abc");
  EXPECT_FALSE(e.fix().empty());
}

TEST(UrdfErrors, MassIsANumberThatIsNotNegative) {
  EXPECT_EQ(code_of(inertial("-1")), "negative-mass");
  for (const std::string mass : {"nan", "inf", "", "1e999", "1 2"}) {
    EXPECT_NE(code_of(inertial(mass)), "none") << mass;
  }
}

TEST(UrdfErrors, UnknownLinkSuggestsTheRightOne) {
  const ModelError e = error_of("<link name='base'/><link name='tip'/>\n" + joint("j", "bse", "tip"));
  EXPECT_EQ(e.code(), "unknown-link");
  EXPECT_EQ(e.where().line, 3);
  EXPECT_EQ(e.text(), "bse");
  EXPECT_THAT(e.fix(), HasSubstr("'base'"));
}

TEST(UrdfErrors, LinksAndJointsFormOneTree) {
  const std::string abc = "<link name='a'/><link name='b'/><link name='c'/>";
  EXPECT_EQ(code_of(""), "no-links");
  EXPECT_EQ(code_of(abc), "several-roots");
  EXPECT_EQ(code_of(abc + joint("j", "a", "b")), "several-roots");
  EXPECT_EQ(code_of(abc + joint("j", "a", "c") + joint("k", "b", "c")), "two-parents");
  EXPECT_EQ(code_of(abc + joint("j", "b", "c") + joint("k", "c", "b")), "cycle");
  EXPECT_EQ(code_of("<link name='a'/>" + joint("j", "a", "a")), "no-root");
  EXPECT_EQ(code_of("<link name='a'/><link name='a'/>"), "duplicate-name");
  EXPECT_EQ(code_of(abc + joint("j", "a", "b") + joint("j", "a", "c")), "duplicate-name");
  EXPECT_EQ(code_of("<link name='a'/><link name='world'/>" + joint("j", "a", "world")), "reserved-name");
}

TEST(UrdfErrors, JointValuesAreChecked) {
  const std::string links = "<link name='a'/><link name='b'/>";
  EXPECT_EQ(code_of(links + joint("j", "a", "b", "<axis xyz='0 0 0'/>")), "zero-axis");
  EXPECT_EQ(code_of(links + joint("j", "a", "b", "<dynamics damping='-1'/>")), "negative-dissipation");
  EXPECT_EQ(code_of(links + joint("j", "a", "b", "<mimic joint='j'/>")), "mimics-itself");
  EXPECT_EQ(code_of(links + joint("j", "a", "b", "<limit lower='1' upper='0' effort='1' velocity='1'/>", "revolute")),
            "bad-range");
  const ModelError e = error_of(links + joint("j", "a", "b", "", "revolut"));
  EXPECT_EQ(e.code(), "unknown-joint-type");
  EXPECT_THAT(e.fix(), HasSubstr("'revolute'"));
  EXPECT_EQ(code_of(links + "<joint name='j' type='fixed'><parent link='a'/></joint>"), "missing-element");
}

TEST(UrdfErrors, ShapesAreChecked) {
  const auto shape = [](const std::string& text) {
    return "<link name='a'><collision><geometry>" + text + "</geometry></collision></link>";
  };
  EXPECT_EQ(code_of(shape("<sphere radius='-1'/>")), "bad-size");
  EXPECT_EQ(code_of(shape("<box size='1 1 -1'/>")), "bad-size");
  EXPECT_THAT(error_of(shape("<spere radius='1'/>")).fix(), HasSubstr("'sphere'"));
}

TEST(UrdfErrors, XacroIsToldFromUrdf) {
  const ModelError e = error_of("<xacro:macro name='leg'/><link name='a'/>");
  EXPECT_EQ(e.code(), "xacro");
  EXPECT_EQ(e.where().line, 2);
  EXPECT_THAT(e.fix(), HasSubstr("run 'xacro"));
  EXPECT_EQ(code_of(inertial("${mass}")), "xacro");
  EXPECT_EQ(code_of(inertial("$(optenv MASS 1)")), "xacro");
}

TEST(UrdfErrors, AnotherRootElementIsAnError) {
  try {
    read_urdf_string("<mujoco/>", ".");
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_EQ(e.code(), "not-urdf");
    EXPECT_THAT(e.fix(), HasSubstr(".xml"));
  }
}

}  // namespace
}  // namespace stickslip
