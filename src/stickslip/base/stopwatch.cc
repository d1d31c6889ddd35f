#include "stickslip/base/stopwatch.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace stickslip {

#if defined(__x86_64__)
namespace {

// Whether the counter runs at one rate, whatever the processor's frequency, and while it sleeps.
bool counter_is_even() {
  constexpr unsigned kPowerManagement = 0x80000007, kInvariantCounter = 1 << 8;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(kPowerManagement, &a, &b, &c, &d) != 0 && (d & kInvariantCounter) != 0;
}

struct Moment {
  std::uint64_t counter, clock;
};

}  // namespace

// Both clocks are read at two moments. Between two readings the process may be interrupted, so each moment is the
// closest of several.
Ticks Ticks::measure() {
  if (!counter_is_even()) return {};
  const auto read_both = [] {
    Moment best{};
    std::uint64_t closest = UINT64_MAX;
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t before = __rdtsc(), clock = clock_now(), after = __rdtsc();
      if (after - before < closest) closest = after - before, best = {before + (after - before) / 2, clock};
    }
    return best;
  };
  constexpr std::uint64_t kLongEnough = 200'000;  // [ns] the readings' own time is a ten-thousandth of it
  const Moment start = read_both();
  while (clock_now() - start.clock < kLongEnough) {
  }
  const Moment end = read_both();
  if (end.counter <= start.counter) return {};
  return {true, 1e-9 * static_cast<double>(end.clock - start.clock) / static_cast<double>(end.counter - start.counter)};
}
#else
Ticks Ticks::measure() { return {}; }
#endif

}  // namespace stickslip
