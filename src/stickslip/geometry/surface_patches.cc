#include "stickslip/geometry/surface_patches.h"

#include <algorithm>

namespace stickslip {
namespace {

std::size_t slot_of_facet(const SurfaceWorkspace& work, int facet) {
  const std::size_t mask = work.slots.size() - 1;
  std::size_t slot = facet * 0x9E3779B1u & mask;
  while (work.slots[slot] >= 0 && work.patches[work.slots[slot]].facet != facet) slot = (slot + 1) & mask;
  return slot;
}

}  // namespace

void clear_patches(SurfaceWorkspace& work) {
  work.patches.clear();
  std::fill(work.slots.begin(), work.slots.end(), -1);
}

int find_patch_of_facet(const SurfaceWorkspace& work, int facet) {
  return work.slots.empty() ? -1 : work.slots[slot_of_facet(work, facet)];
}

int patch_of_facet(SurfaceWorkspace& work, int facet) {
  if (work.slots.size() < 2 * (work.patches.size() + 1)) {
    work.slots.assign(std::max<std::size_t>(64, 4 * work.slots.size()), -1);
    for (std::size_t i = 0; i < work.patches.size(); ++i) {
      if (work.patches[i].facet < 0) continue;
      work.slots[slot_of_facet(work, work.patches[i].facet)] = static_cast<int>(i);
    }
  }
  const std::size_t slot = slot_of_facet(work, facet);
  if (work.slots[slot] < 0) {
    work.slots[slot] = static_cast<int>(work.patches.size());
    work.patches.push_back({.facet = facet});
  }
  return work.slots[slot];
}

int new_patch(SurfaceWorkspace& work) {
  work.patches.push_back({.facet = -1});
  return static_cast<int>(work.patches.size()) - 1;
}

}  // namespace stickslip
