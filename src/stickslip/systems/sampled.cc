#include "stickslip/systems/sampled.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace stickslip {
namespace {

constexpr double kSameTick = 1e-6;      // of a period: round-off of what computes times, hours at kilohertz
constexpr double kMostRoundOff = 0.25;  // of a period: of the clock itself, years at megahertz

// How far a time may be from a tick and still be it, in periods.
double same_tick(double ticks) {
  return std::min(kSameTick + 4 * std::numeric_limits<double>::epsilon() * std::abs(ticks), kMostRoundOff);
}

}  // namespace

Sampled::Sampled(double rate, Function function, std::string name)
    : System(std::move(name)), rate_(rate), function_(std::move(function)) {
  if (rate > 0 && rate * kShortestTick <= 1) return;
  throw std::invalid_argument(fmt::format(
      "the rate of system '{}' is {}, expected a positive number of ticks a second, at most {:g}: steps end at ticks",
      this->name(), rate, 1 / kShortestTick));
}

double Sampled::next_tick(double time) const {
  const double ticks = time * rate_;
  return (std::floor(ticks + same_tick(ticks)) + 1) / rate_;
}

bool Sampled::is_tick(double time) const {
  const double ticks = time * rate_;
  return std::abs(ticks - std::round(ticks)) <= same_tick(ticks);
}

void Sampled::sample(const SystemInput& input, Scratch*, Eigen::Ref<VectorXd> z) const {
  z.setZero();
  function_(input, z);
}

}  // namespace stickslip
