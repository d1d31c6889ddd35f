#include "stickslip/view/access.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

TEST(Access, TokensAreLongAndNeverTheSame) {
  const std::string a = random_token(), b = random_token();
  EXPECT_EQ(a.size(), 32u);
  EXPECT_NE(a, b);
  EXPECT_TRUE(same_text(a, std::string(a)));
  EXPECT_FALSE(same_text(a, b));
  EXPECT_FALSE(same_text(a, a.substr(1)));
  EXPECT_FALSE(same_text(a, ""));
}

TEST(Access, OnlyNamesOfThisMachine) {
  for (const char* host : {"127.0.0.1", "127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:65535"})
    EXPECT_TRUE(is_own_host(host)) << host;
  for (const char* host :
       {"", ":80", "example.org", "localhost.example.org", "localhost:80.example.org", "127.0.0.1:", "127.0.0.1:123456",
        "127.0.0.1 ", "127.0.0.2", "user@localhost", "localhost:-1", "localhost:8a"})
    EXPECT_FALSE(is_own_host(host)) << host;
}

TEST(Access, OnlyPagesOfOurs) {
  EXPECT_TRUE(is_own_origin("http://localhost:8000", "localhost:8000"));
  for (const char* origin : {"", "http://localhost:8001", "https://localhost:8000", "http://example.org", "null",
                             "http://127.0.0.1:8000", "http://localhost:8000/"})
    EXPECT_FALSE(is_own_origin(origin, "localhost:8000")) << origin;
}

}  // namespace
}  // namespace stickslip
