#include "stickslip/convert/notes.h"

#include <gtest/gtest.h>

namespace stickslip::convert {
namespace {

// A loss that many share is one note, at its first place, that names them.
TEST(Notes, MergeTheSameLossOfSeveralThings) {
  Notes notes;
  notes.add("velocity-limit", {"a.urdf", 3, 1}, "joint 'a'", "left out");
  notes.add("velocity-limit", {"a.urdf", 7, 1}, "joint 'b'", "left out");
  notes.add("velocity-limit", {"a.urdf", 9, 1}, "joint 'b'", "left out");
  notes.add("other", {}, "", "left out");
  const std::vector<Warning> list = notes.list();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].where.line, 3);
  EXPECT_EQ(list[0].message, "left out (joint 'a', joint 'b')");
  EXPECT_EQ(list[1].message, "left out");
}

TEST(Notes, CountWhatIsTooLongToName) {
  Notes notes;
  for (char name = 'a'; name < 'h'; ++name) notes.add("x", {}, std::string(1, name), "left out");
  EXPECT_EQ(notes.list()[0].message, "left out (a, b, c, d and 3 more)");
}

}  // namespace
}  // namespace stickslip::convert
