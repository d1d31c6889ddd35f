#include "stickslip/systems/sampled.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace stickslip {
namespace {

constexpr double kSameTick = 1e-6;  // of a period: the clock's round-off over hours at kilohertz

}  // namespace

Sampled::Sampled(double rate, Function function, std::string name)
    : System(std::move(name)), rate_(rate), function_(std::move(function)) {
  if (!(rate > 0) || !std::isfinite(rate))
    throw std::invalid_argument(
        fmt::format("the rate of system '{}' is {}, expected a positive number of ticks a second", this->name(), rate));
}

double Sampled::next_tick(double time) const { return (std::floor(time * rate_ + kSameTick) + 1) / rate_; }

bool Sampled::is_tick(double time) const {
  const double ticks = time * rate_;
  return std::abs(ticks - std::round(ticks)) <= kSameTick;
}

void Sampled::sample(const SystemInput& input, Scratch*, Eigen::Ref<VectorXd> z) const {
  z.setZero();
  function_(input, z);
}

}  // namespace stickslip
