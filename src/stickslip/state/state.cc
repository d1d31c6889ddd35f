#include "stickslip/state/state.h"

#include "stickslip/base/hash.h"
#include "stickslip/state/configuration.h"

namespace stickslip {
namespace {

std::span<const double> view(const VectorXd& x) { return {x.data(), static_cast<size_t>(x.size())}; }

}  // namespace

State initial_state(const Model& model) {
  State state;
  initial_state(model, state);
  return state;
}

void initial_state(const Model& model, State& state) {
  state.time = 0;
  state.q = model.q0;
  state.v = model.v0;
  state.ctrl = model.ctrl0;
  state.z.resize(0);
  state.mocap = model.mocap0;
  state.step_size = 0;
  state.grips.clear();
  state.energy = {};
}

State keyframe_state(const Model& model, int keyframe) {
  const KeyframeInfo& key = model.keyframes.at(static_cast<size_t>(keyframe));
  State state;
  state.time = key.time;
  state.q = key.q;
  state.v = key.v;
  state.ctrl = key.ctrl;
  state.mocap = key.mocap;
  normalize_configuration(model, state.q);
  return state;
}

std::uint64_t hash(const State& state) {
  Hash hash;
  hash.add(state.time);
  for (const VectorXd* part : {&state.q, &state.v, &state.ctrl, &state.z, &state.mocap}) hash.add(view(*part));
  hash.add(state.step_size);
  hash.add(static_cast<std::uint64_t>(state.grips.size()));
  for (const Grip& grip : state.grips) hash.add(std::span<const double>(to_numbers(grip)));
  return hash.value();
}

}  // namespace stickslip
