#include "stickslip/base/base64.h"

#include <gtest/gtest.h>

#include <random>

namespace stickslip {
namespace {

// The examples of RFC 4648.
TEST(Base64, IsThatOfTheStandard) {
  const std::pair<const char*, const char*> pairs[]{{"", ""},
                                                    {"f", "Zg=="},
                                                    {"fo", "Zm8="},
                                                    {"foo", "Zm9v"},
                                                    {"foob", "Zm9vYg=="},
                                                    {"fooba", "Zm9vYmE="},
                                                    {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : pairs) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, AllBytesComeBack) {
  std::mt19937 random(1);
  for (size_t size = 0; size < 300; ++size) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
  }
}

TEST(Base64, OtherTextsAreRefused) {
  for (const char* text : {"Z", "Zg=", "Zg", "Z===", "Zg==Zg==", "Zm9\xff", "Zm 9", "====", "=Zg="})
    EXPECT_FALSE(from_base64(text)) << text;
}

}  // namespace
}  // namespace stickslip
