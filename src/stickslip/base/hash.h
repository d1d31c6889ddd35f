#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace stickslip {

// Order-sensitive 64-bit hash of bit patterns: two runs agree if and only if (but for collisions) every bit agrees.
class Hash {
 public:
  void add(std::uint64_t bits) {
    // Multiply-xorshift mixing; constants of the splitmix64 generator.
    state_ += bits + 0x9e3779b97f4a7c15ull;
    state_ = (state_ ^ (state_ >> 30)) * 0xbf58476d1ce4e5b9ull;
    state_ = (state_ ^ (state_ >> 27)) * 0x94d049bb133111ebull;
    state_ ^= state_ >> 31;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(std::span<const double> values) {
    add(static_cast<std::uint64_t>(values.size()));
    for (double value : values) add(value);
  }
  void add(std::string_view bytes) {
    add(static_cast<std::uint64_t>(bytes.size()));
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min(sizeof(word), bytes.size() - i));
      add(word);
    }
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace stickslip
