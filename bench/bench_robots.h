#pragma once

#include <array>
#include <string>
#include <vector>

#include "stickslip/stickslip.h"

namespace stickslip::bench {

// Robots of example-robot-data; the folder with their URDF files comes from the environment variable
// STICKSLIP_BENCH_ROBOTS, Pinocchio's serialised twins from STICKSLIP_BENCH_PINOCCHIO (bench/run sets both).
struct Robot {
  const char* name;
  const char* urdf;
  BaseType base;
};
inline constexpr std::array kRobots{
    Robot{"panda", "panda_description/urdf/panda.urdf", BaseType::kFixed},
    Robot{"solo12", "solo_description/robots/solo12.urdf", BaseType::kFloating},
    Robot{"romeo", "romeo_description/urdf/romeo_small.urdf", BaseType::kFloating},
};

std::string folder_from_environment(const char* variable);

// The number of random states that benchmarks cycle through: more than one, so that branches cannot be learnt.
constexpr int kStates = 128;

constexpr int kFreeBodies = 1000;

}  // namespace stickslip::bench
