#pragma once

#include <chrono>

namespace stickslip {

// Shares out the time that passes among stages: each call of lap() adds what passed since the last to a stage.
class Stopwatch {
 public:
  void lap(double& stage_seconds) {
    const Clock::time_point now = Clock::now();
    stage_seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace stickslip
