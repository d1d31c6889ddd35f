#include "stickslip/state/state.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <set>

#include "stickslip/model/forest_testing.h"

namespace stickslip {
namespace {

using forest_testing::forest;

// Every bit of every number in the state counts.
TEST(State, HashChangesWithAnyBit) {
  State state = initial_state(compile(forest(1, {.forces = true})));
  state.z = VectorXd::Constant(2, 0.5);
  state.step_size = 0.01;
  std::set<std::uint64_t> seen{hash(state)};
  size_t variants = 1;
  const auto flip_all_bits = [&](double& number) {
    const double original = number;
    for (int bit = 0; bit < 64; ++bit) {
      number = std::bit_cast<double>(std::bit_cast<std::uint64_t>(original) ^ (std::uint64_t{1} << bit));
      seen.insert(hash(state));
      ++variants;
    }
    number = original;
  };
  flip_all_bits(state.time);
  flip_all_bits(state.step_size);
  for (VectorXd* part : {&state.q, &state.v, &state.ctrl, &state.z, &state.mocap}) {
    ASSERT_GT(part->size(), 0);
    for (double& number : *part) flip_all_bits(number);
  }
  EXPECT_EQ(seen.size(), variants);
}

// A number that moves from one part of the state to another is another state.
TEST(State, HashSeesWhichPartANumberBelongsTo) {
  State a, b;
  a.q = VectorXd::Constant(1, 2.0);
  b.v = VectorXd::Constant(1, 2.0);
  EXPECT_NE(hash(a), hash(b));
}

// States are values: a copy is equal and has the same hash, and stays so when the original changes.
TEST(State, CopiesAreIndependentValues) {
  State state = initial_state(compile(forest(2)));
  const State copy = state;
  EXPECT_EQ(copy, state);
  const std::uint64_t before = hash(copy);
  state.q[0] += 1;
  EXPECT_NE(copy, state);
  EXPECT_EQ(hash(copy), before);
}

// A keyframe replaces what it gives, quaternions made unit; an unknown one is an error, not garbage.
TEST(State, KeyframeStateIsTheStartWithTheKeyframe) {
  Scene scene;
  forest_testing::Random random(3);
  forest_testing::add_body(scene, random, "ball");
  scene.keyframes.push_back({.name = "up", .time = 1.5, .q = {1, 2, 3, 0, 0, 0, 2}});
  const Model model = compile(scene);
  const State state = keyframe_state(model, 0);
  EXPECT_EQ(state.time, 1.5);
  EXPECT_EQ(state.q, (VectorXd(7) << 1, 2, 3, 0, 0, 0, 1).finished());
  EXPECT_EQ(state.v, model.v0);
  EXPECT_THROW(keyframe_state(model, 1), std::out_of_range);
}

}  // namespace
}  // namespace stickslip
