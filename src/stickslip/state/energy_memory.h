#pragma once

#include <array>

namespace stickslip {

// What a run knows of its energy between steps: what there should be, and what came from nothing so far. It decides
// whether a run is stopped, never how it goes on.
struct EnergyMemory {
  bool is_known = false;
  double mark = 0;      // of the state that it belongs to: of any other it says nothing
  double expected = 0;  // energy of that state if nothing comes from nothing [J]
  double gained = 0;    // what came from nothing, above the least since the start [J]
  double in_play = 0;   // what there was, what fell and what was fed [J]
  double lowest = 0;    // potential energy so far [J]

  bool operator==(const EnergyMemory&) const = default;
};

constexpr int kEnergyNumbers = 5;
inline std::array<double, kEnergyNumbers> to_numbers(const EnergyMemory& x) {
  return {x.mark, x.expected, x.gained, x.in_play, x.lowest};
}
inline EnergyMemory energy_memory(const std::array<double, kEnergyNumbers>& x) {
  return {true, x[0], x[1], x[2], x[3], x[4]};
}

}  // namespace stickslip
