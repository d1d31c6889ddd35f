#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace stickslip {

// A number for an unordered pair of indices; ascending as (smaller, larger).
inline std::uint64_t pair_key(int a, int b) {
  const auto [low, high] = std::minmax(a, b);
  return static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint32_t>(high);
}

// A set of unordered pairs of indices. Filled first, then finish(), then asked: a sorted array is smaller and faster to
// search than a hash table of the same few pairs.
class PairSet {
 public:
  void add(int a, int b) { keys_.push_back(pair_key(a, b)); }
  void finish() {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  }
  bool contains(int a, int b) const {
    return !keys_.empty() && std::binary_search(keys_.begin(), keys_.end(), pair_key(a, b));
  }
  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  std::vector<std::uint64_t> keys_;
};

}  // namespace stickslip
