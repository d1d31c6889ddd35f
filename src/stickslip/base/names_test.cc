#include "stickslip/base/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace stickslip {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::vector<std::string> kJoints = {"shoulder", "elbow", "wrist"};

// One slip of the fingers (wrong, missing, doubled or swapped letter, wrong case) still finds the name.
TEST(ClosestName, FindsTheNameBehindATypingError) {
  EXPECT_EQ(closest_name("elbov", kJoints), "elbow");
  EXPECT_EQ(closest_name("elbw", kJoints), "elbow");
  EXPECT_EQ(closest_name("ellbow", kJoints), "elbow");
  EXPECT_EQ(closest_name("shuolder", kJoints), "shoulder");
  EXPECT_EQ(closest_name("WRIST", kJoints), "wrist");
}

// Another word is not a typing error, and an empty name or an empty list suggests nothing.
TEST(ClosestName, IsEmptyForAnotherWord) {
  EXPECT_EQ(closest_name("ankle", kJoints), "");
  EXPECT_EQ(closest_name("", kJoints), "");
  EXPECT_EQ(closest_name("elbow", {}), "");
}

// Of two candidates the one with fewer differences wins, wherever it stands in the list.
TEST(ClosestName, PrefersTheSmallestDistance) {
  EXPECT_EQ(closest_name("joint_12", std::vector<std::string>{"joint_34", "joint_13"}), "joint_13");
  EXPECT_EQ(closest_name("joint_12", std::vector<std::string>{"joint_13", "joint_34"}), "joint_13");
}

// The sentence names the likely candidate and nothing else.
TEST(DidYouMean, NamesTheCloseCandidate) {
  EXPECT_THAT(did_you_mean("elbov", kJoints), HasSubstr("did you mean 'elbow'?"));
  EXPECT_THAT(did_you_mean("elbov", kJoints), Not(HasSubstr("wrist")));
}

// Without a close candidate the reader learns what there is; a long list is cut short and says so.
TEST(DidYouMean, ListsWhatThereIsWithoutACloseCandidate) {
  const std::string all = did_you_mean("ankle", kJoints);
  for (const std::string& name : kJoints) EXPECT_THAT(all, HasSubstr("'" + name + "'"));
  std::vector<std::string> many;
  for (int i = 0; i < 1000; ++i) many.push_back("body" + std::to_string(i));
  const std::string some = did_you_mean("something else", many);
  EXPECT_THAT(some, HasSubstr("992 more"));
  EXPECT_LT(some.size(), 300u);
  EXPECT_THAT(did_you_mean("ankle", {}), HasSubstr("none"));
}

}  // namespace
}  // namespace stickslip
