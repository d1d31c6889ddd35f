#include "stickslip/base/printable.h"

#include <gtest/gtest.h>

namespace stickslip {
namespace {

TEST(Printable, TextOfAnyLettersStays) {
  for (const char* text : {"", "ball", "Kügel, \"a/b\" 球", "\xf0\x9f\xa4\x96 robot", "a\nb\tc", "\xc2\xa0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, WhatTerminalsObeyIsShown) {
  EXPECT_EQ(printable("\x1b[2J"), "\\u001b[2J");
  EXPECT_EQ(printable("a\rb\a\b\x7f"), "a\\u000db\\u0007\\u0008\\u007f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // one character that begins a sequence, too
  EXPECT_EQ(printable("\xc2\x85"), "\\u0085");
  EXPECT_EQ(printable("\xe2\x80\xaegpj.\xe2\x81\xa6"), "\\u202egpj.\\u2066");
  EXPECT_EQ(printable("\xe2\x80\xa8\xd8\x9c"), "\\u2028\\u061c");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
}

TEST(Printable, BytesThatAreNoTextAreShown) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            "\\x9b31m");                                    // as terminals in Latin-1 read it
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");           // escape in two bytes
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");  // and in three
  EXPECT_EQ(printable("\xed\xa0\x80 \xc3"), "\\xed\\xa0\\x80 \\xc3");
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, ANameIsOneLine) { EXPECT_EQ(on_one_line("a\nerror: b\tc"), "a\\u000aerror: b\\u0009c"); }

}  // namespace
}  // namespace stickslip
