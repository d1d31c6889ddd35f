#include "stickslip/state/state_numbers.h"

#include <algorithm>
#include <limits>

namespace stickslip {
namespace {

constexpr size_t kFirst = 2;  // time and step size

void append(std::span<const double> part, std::vector<double>& out) {
  out.push_back(static_cast<double>(part.size()));
  out.insert(out.end(), part.begin(), part.end());
}

// Takes a count and as many numbers from the front; false if there are fewer.
bool take(std::span<const double>& rest, std::span<const double>& part) {
  if (rest.empty() || !(rest[0] >= 0) || !(rest[0] <= static_cast<double>(rest.size() - 1))) return false;
  const auto count = static_cast<size_t>(rest[0]);
  part = rest.subspan(1, count);
  rest = rest.subspan(1 + count);
  return true;
}

bool is_index(double x) { return x >= 0 && x <= std::numeric_limits<int>::max(); }

std::optional<std::vector<Grip>> grips_from_numbers(std::span<const double> numbers) {
  if (numbers.size() % kGripNumbers != 0) return {};
  std::vector<Grip> grips;
  std::array<double, kGripNumbers> one{};
  for (size_t i = 0; i < numbers.size(); i += kGripNumbers) {
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(i), kGripNumbers, one.begin());
    if (!is_index(one[0]) || !is_index(one[1])) return {};
    grips.push_back(grip_from_numbers(one));
  }
  return grips;
}

}  // namespace

std::vector<double> to_numbers(const State& state) {
  std::vector<double> out{state.time, state.step_size};
  for (const VectorXd* part : {&state.q, &state.v, &state.ctrl, &state.z, &state.mocap})
    append({part->data(), static_cast<size_t>(part->size())}, out);
  std::vector<double> grips;
  for (const Grip& grip : state.grips) {
    const auto numbers = to_numbers(grip);
    grips.insert(grips.end(), numbers.begin(), numbers.end());
  }
  append(grips, out);
  if (state.energy.is_known) append(to_numbers(state.energy), out);
  return out;
}

std::optional<State> state_from_numbers(std::span<const double> numbers) {
  if (numbers.size() < kFirst) return {};
  State state;
  state.time = numbers[0];
  state.step_size = numbers[1];
  std::span<const double> rest = numbers.subspan(kFirst), part;
  for (VectorXd* target : {&state.q, &state.v, &state.ctrl, &state.z, &state.mocap}) {
    if (!take(rest, part)) return {};
    *target = Eigen::Map<const VectorXd>(part.data(), static_cast<Eigen::Index>(part.size()));
  }
  if (!take(rest, part)) return {};
  std::optional<std::vector<Grip>> grips = grips_from_numbers(part);
  if (!grips) return {};
  state.grips = std::move(*grips);
  if (rest.empty()) return state;
  std::array<double, kEnergyNumbers> energy{};
  if (!take(rest, part) || !rest.empty() || part.size() != energy.size()) return {};
  std::copy(part.begin(), part.end(), energy.begin());
  state.energy = energy_memory(energy);
  return state;
}

}  // namespace stickslip
