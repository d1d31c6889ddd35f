#include "stickslip/base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>
#include <string>

namespace stickslip {
namespace {

std::uint64_t hash_of(std::initializer_list<double> values) {
  Hash hash;
  for (double value : values) hash.add(value);
  return hash.value();
}

// The same numbers in another order are another run.
TEST(Hash, DependsOnOrder) {
  EXPECT_NE(hash_of({1.0, 2.0}), hash_of({2.0, 1.0}));
  EXPECT_EQ(hash_of({1.0, 2.0}), hash_of({1.0, 2.0}));
}

// Every byte counts, also those beyond the last whole word, and so does the length.
TEST(Hash, SeesEveryByte) {
  const auto of = [](std::string_view bytes) {
    Hash hash;
    hash.add(bytes);
    return hash.value();
  };
  const std::string text = "eleven byte";
  std::set<std::uint64_t> seen{of(text), of(text + '\0'), of("")};
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    ++other[i];
    seen.insert(of(other));
  }
  EXPECT_EQ(seen.size(), text.size() + 3);
}

// Bits count, not values: 0 and -0 compare equal but are different bits; equal NaNs are equal bits.
TEST(Hash, SeesBitsNotValues) {
  EXPECT_NE(hash_of({0.0}), hash_of({-0.0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hash_of({nan}), hash_of({nan}));
}

// Each of the 64 bits of each of two numbers matters.
TEST(Hash, ChangesWithEveryBit) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 2; ++i) {
    for (int bit = 0; bit < 64; ++bit) {
      std::array<std::uint64_t, 2> words{0x3ff0000000000000u, 42};
      words[static_cast<size_t>(i)] ^= std::uint64_t{1} << bit;
      Hash hash;
      for (std::uint64_t word : words) hash.add(word);
      seen.insert(hash.value());
    }
  }
  EXPECT_EQ(seen.size(), 128u);
}

// Where one array ends and the next begins matters: (1, 2) then (3) is not (1) then (2, 3).
TEST(Hash, SpansKeepTheirBoundaries) {
  const std::array<double, 3> values{1, 2, 3};
  const std::span<const double> all(values);
  Hash two_one, one_two, empty_first, empty_last;
  two_one.add(all.first(2));
  two_one.add(all.last(1));
  one_two.add(all.first(1));
  one_two.add(all.last(2));
  EXPECT_NE(two_one.value(), one_two.value());
  empty_first.add(all.first(0));
  empty_first.add(all);
  empty_last.add(all);
  empty_last.add(all.first(0));
  EXPECT_NE(empty_first.value(), empty_last.value());
}

}  // namespace
}  // namespace stickslip
