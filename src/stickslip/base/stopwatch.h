#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace stickslip {

// A count that rises evenly with time. A step of a robot takes ten microseconds and is timed at twenty places: the
// processor's own counter is read in a third of the time that the system's clock takes.
struct Ticks {
  bool is_counter = false;  // the processor has one, and it runs evenly
  double seconds = 1e-9;    // of a tick

  static const Ticks& unit() {
    static const Ticks kUnit = measure();
    return kUnit;
  }

  std::uint64_t now() const {
#if defined(__x86_64__)
    if (is_counter) return __rdtsc();
#endif
    return clock_now();
  }

 private:
  static std::uint64_t clock_now() {
    using std::chrono::nanoseconds, std::chrono::steady_clock;
    return std::chrono::duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
  }
  static Ticks measure();
};

// Shares out the time that passes among stages: each call of lap() adds what passed since the last to a stage.
class Stopwatch {
 public:
  void restart() { last_ = ticks_.now(); }
  void lap(double& stage_seconds) {
    const std::uint64_t now = ticks_.now();
    stage_seconds += ticks_.seconds * static_cast<double>(static_cast<std::int64_t>(now - last_));
    last_ = now;
  }

 private:
  const Ticks& ticks_ = Ticks::unit();
  std::uint64_t last_ = ticks_.now();
};

}  // namespace stickslip
