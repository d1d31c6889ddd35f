#pragma once

#include <algorithm>
#include <cstdint>

// Names for the vertex, edge or face of one shape that takes part in a contact: the same ones for every query, so that
// a contact can be followed. A point's feature is A's name in the upper half, B's in the lower.
namespace stickslip {

constexpr std::uint32_t kFaceName = 0;
constexpr std::uint32_t vertex_name(int v) { return static_cast<std::uint32_t>(v + 1) & 0x7fffffffu; }

// Edges of hulls with up to 2^15 vertices differ; beyond, vertices that far apart in the list share their edges' names.
constexpr std::uint32_t edge_name(int v, int w) {
  constexpr std::uint32_t kVertexBits = 15, kVertex = (1u << kVertexBits) - 1;
  const auto low = static_cast<std::uint32_t>(std::min(v, w)), high = static_cast<std::uint32_t>(std::max(v, w));
  return 0x80000000u | (low & kVertex) << kVertexBits | (high & kVertex);
}

constexpr std::uint64_t feature_name(std::uint32_t of_a, std::uint32_t of_b) {
  return static_cast<std::uint64_t>(of_a) << 32 | of_b;
}
constexpr std::uint64_t swapped_feature(std::uint64_t feature) { return feature << 32 | feature >> 32; }

}  // namespace stickslip
