#include "stickslip/simulate/contact_average.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

// Of bodies a and b, with a force along z.
ContactSample pressing(int a, int b, float force, float depth = 0) {
  return {.body_a = a, .body_b = b, .depth = depth, .force = {0, 0, force}};
}

std::vector<ContactSample> of_a_step(std::vector<ContactSample> contacts) {
  find_largest_forces(contacts);
  return contacts;
}

TEST(ContactAverage, ForcesAreImpulsesDividedByTheInterval) {
  ContactAverage average;
  average.add(of_a_step({pressing(1, 2, 8)}), 0.25);
  average.add({}, 0.5);  // apart
  average.add(of_a_step({pressing(1, 2, 4)}), 0.25);
  std::vector<ContactSample> out;
  average.finish(out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].force[2], 3);
  EXPECT_EQ(out[0].largest_force, 8);
  average.add({}, 0.5);  // nothing of it is left
  average.finish(out);
  EXPECT_TRUE(out.empty());
}

// Each may have its largest at another time than the two together.
TEST(ContactAverage, TheLargestOfTwoBodiesIsThatOfTheSum) {
  ContactAverage average;
  average.add(of_a_step({pressing(1, 2, 6), pressing(1, 2, 1), pressing(1, 3, 5)}), 0.5);
  average.add(of_a_step({pressing(1, 2, 2), pressing(1, 2, 3)}), 0.5);
  std::vector<ContactSample> out;
  average.finish(out);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[0].force[2], 4);
  EXPECT_EQ(out[0].largest_force, 6);
  EXPECT_EQ(out[1].largest_force, 3);
  for (int k : {0, 1}) EXPECT_EQ(out[k].largest_pair_force, 7);
  EXPECT_EQ(out[2].largest_pair_force, 5);
}

// Half steps put contacts of one pair at the end of the list, too.
TEST(ContactAverage, ContactsOfTwoBodiesNeedNotFollowEachOther) {
  const auto step = of_a_step({pressing(1, 2, 1), pressing(3, 4, 2), pressing(1, 2, 3)});
  EXPECT_EQ(step[0].largest_pair_force, 4);
  EXPECT_EQ(step[2].largest_pair_force, 4);
  ContactAverage average;
  for (int k = 0; k < 3; ++k) average.add(step, 0.1);
  std::vector<ContactSample> out;
  average.finish(out);
  ASSERT_EQ(out.size(), 3u);
  EXPECT_EQ(out[1].body_b, 2);
  EXPECT_FLOAT_EQ(out[1].force[2], 3);
  EXPECT_EQ(out[2].body_a, 3);
}

TEST(ContactAverage, TheRestIsThatOfTheLastTouch) {
  ContactAverage average;
  average.add(of_a_step({pressing(1, 2, 5, 0.1f)}), 0.5);
  average.add(of_a_step({pressing(1, 2, 1, 0.2f)}), 0.5);
  average.add({}, 1);
  average.add(of_a_step({pressing(1, 2, 9, 0.3f)}), 0);  // of no duration: not of this interval
  std::vector<ContactSample> out;
  average.finish(out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].depth, 0.2f);
  EXPECT_EQ(out[0].largest_force, 5);
}

}  // namespace
}  // namespace stickslip
