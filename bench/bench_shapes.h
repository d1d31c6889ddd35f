#pragma once

#include <string>
#include <vector>

#include "stickslip/stickslip.h"

namespace stickslip::bench {

// Two shapes and many poses of the second, the first being at the origin.
struct ShapePair {
  std::string name;
  Shape a, b;
  std::vector<Pose> poses;
};

// Made once. Boxes and capsules rest on a box's face, tilted by up to 0.01 rad; hulls of 200 vertices (10 cm) are
// turned at random. Half of the poses overlap by 1 mm; the other half of the hulls' are 1 mm apart.
const std::vector<ShapePair>& shape_pairs();

constexpr double kReach = 0.002;  // contacts are asked for up to this distance [m]

}  // namespace stickslip::bench
