#pragma once

#include <algorithm>
#include <cstdint>

// Names for the vertex, edge or face of one shape that takes part in a contact: the same ones for every query, so that
// a contact can be followed. A point's feature is A's name in the upper half, B's in the lower.
namespace stickslip {

constexpr std::uint32_t kFaceName = 0;
constexpr std::uint32_t vertex_name(int v) { return static_cast<std::uint32_t>(v + 1) & 0x7fffu; }
constexpr std::uint32_t edge_name(int v, int w) {
  return 0x8000u | (static_cast<std::uint32_t>(std::min(v, w) * 181 + std::max(v, w)) & 0x7fffu);
}

}  // namespace stickslip
