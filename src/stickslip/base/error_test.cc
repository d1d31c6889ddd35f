#include "stickslip/base/error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stickslip {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// what() alone is enough to mend the file: the place, what is wrong, the code, the text as written and the remedy.
TEST(ModelError, WhatTellsPlaceMessageCodeTextAndFix) {
  const ModelError error("bad-number", {"robot.urdf", 14, 11}, "mass of link 'arm' is not a number", "1.0abc",
                         "write a plain decimal number such as 1.0");
  EXPECT_STREQ(error.what(),
               "robot.urdf:14:11: mass of link 'arm' is not a number [bad-number]\n"
               "    1.0abc\n"
               "  fix: write a plain decimal number such as 1.0");
  EXPECT_EQ(error.code(), "bad-number");
  EXPECT_EQ(error.where().line, 14);
  EXPECT_EQ(error.where().column, 11);
  EXPECT_EQ(error.message(), "mass of link 'arm' is not a number");
  EXPECT_EQ(error.text(), "1.0abc");
  EXPECT_EQ(error.fix(), "write a plain decimal number such as 1.0");
}

// An error without offending text or remedy leaves no empty lines and no dangling "fix:".
TEST(ModelError, WhatIsOneLineWithoutTextAndFix) {
  const ModelError error("bad-mass", {"a.yaml", 3, 1}, "mass is 0");
  EXPECT_STREQ(error.what(), "a.yaml:3:1: mass is 0 [bad-mass]");
}

// A number that counts from 1 is never shown as 0.
TEST(Location, UnknownLineAndColumnAreLeftOut) {
  EXPECT_EQ((Location{"robot.urdf", 14, 5}).str(), "robot.urdf:14:5");
  EXPECT_EQ((Location{"robot.urdf", 14, 0}).str(), "robot.urdf:14");
  EXPECT_EQ((Location{"robot.urdf", 0, 0}).str(), "robot.urdf");
  EXPECT_THAT((Location{"", 0, 0}).str(), HasSubstr("<memory>"));
  EXPECT_THAT((Location{"", 7, 2}).str(), HasSubstr("7:2"));
}

// A warning reads like a compiler's: place, the word warning, message, code.
TEST(Warning, StrTellsPlaceMessageAndCode) {
  const Warning warning{"unsupported-element", {"m.xml", 1, 2}, "<skin> is left out"};
  EXPECT_EQ(warning.str(), "m.xml:1:2: warning: <skin> is left out [unsupported-element]");
}

}  // namespace
}  // namespace stickslip
