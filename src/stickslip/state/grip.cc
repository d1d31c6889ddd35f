#include "stickslip/state/grip.h"

#include <algorithm>

namespace stickslip {
namespace {

// Calls visit(numbers, count) for each part that is numbers alone.
template <typename GripType, typename Visit>
void for_each_part(GripType& grip, Visit&& visit) {
  visit(grip.position.data(), 3);
  visit(grip.rotation.data(), 9);
  visit(grip.normal.data(), 3);
  visit(grip.center.data(), 3);
  visit(grip.displacement.data(), 3);
  visit(&grip.twist, 1);
  visit(grip.slip.data(), 3);
  visit(&grip.slip_twist, 1);
  visit(&grip.energy, 1);
}

}  // namespace

std::array<double, kGripNumbers> to_numbers(const Grip& grip) {
  std::array<double, kGripNumbers> out{static_cast<double>(grip.geometry_a), static_cast<double>(grip.geometry_b),
                                       grip.sticks ? 1.0 : 0.0};
  double* next = out.data() + 3;
  for_each_part(grip, [&](const double* part, int count) { next = std::copy(part, part + count, next); });
  return out;
}

Grip grip_from_numbers(const std::array<double, kGripNumbers>& numbers) {
  Grip grip;
  grip.geometry_a = static_cast<int>(numbers[0]);
  grip.geometry_b = static_cast<int>(numbers[1]);
  grip.sticks = numbers[2] != 0;
  const double* next = numbers.data() + 3;
  for_each_part(grip, [&](double* part, int count) {
    std::copy(next, next + count, part);
    next += count;
  });
  return grip;
}

}  // namespace stickslip
