#include "stickslip/base/codes.h"

#include <gtest/gtest.h>

#include <set>

namespace stickslip {
namespace {

TEST(Codes, EachStandsOnceAndSaysAll) {
  std::set<std::string_view> seen;
  for (const CodeSection& section : code_sections()) {
    EXPECT_FALSE(section.codes.empty()) << section.title;
    for (const Code& code : section.codes) {
      EXPECT_TRUE(seen.insert(code.code).second) << code.code;
      EXPECT_FALSE(code.meaning.empty() || code.example.empty() || code.fix.empty()) << code.code;
      EXPECT_EQ(code.change == Change::kNone, code.severity == Severity::kError) << code.code;
    }
  }
}

TEST(Codes, AreFoundByName) {
  ASSERT_NE(find_code("bad-number"), nullptr);
  EXPECT_EQ(find_code("bad-number")->severity, Severity::kError);
  EXPECT_EQ(find_code("no-such-code"), nullptr);
}

}  // namespace
}  // namespace stickslip
