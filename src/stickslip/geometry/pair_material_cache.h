#pragma once

#include <cstdint>
#include <vector>

#include "stickslip/geometry/collision_model.h"

namespace stickslip {

// Materials of the pairs that touched lately: contact parameters of MJCF take as long to translate as the contact of
// two boxes takes to find. A table of fixed size, in which a pair has one place.
class PairMaterialCache {
 public:
  const PairMaterial& find(const CollisionModel& model, int a, int b) {
    if (entries_.empty()) entries_.resize(kPlaces);
    Entry& entry = entries_[(static_cast<std::uint32_t>(a) * 0x9E3779B1u ^ static_cast<std::uint32_t>(b)) % kPlaces];
    if (entry.model != model.serial || model.serial == 0 || entry.a != a || entry.b != b)
      entry = {model.serial, a, b, model.pair_material(a, b)};
    return entry.material;
  }

 private:
  struct Entry {
    std::uint64_t model = 0;
    int a = -1, b = -1;
    PairMaterial material;
  };
  static constexpr std::uint32_t kPlaces = 1024;
  std::vector<Entry> entries_;
};

}  // namespace stickslip
