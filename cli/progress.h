#pragma once

#include <chrono>

#include "stickslip/stickslip.h"

namespace stickslip::cli {

enum class ProgressStyle {
  kNone,
  kBar,    // one line that is drawn again and again: a terminal
  kLines,  // now and then a line more: a file or a pipe
};

// Shows on stderr how far a run is: simulated time, rate, size of the steps, time left. Short runs show nothing.
class Progress {
 public:
  Progress(double until, ProgressStyle style);
  void show(const Simulator& simulator);
  void finish();  // the bar goes away

 private:
  using Clock = std::chrono::steady_clock;
  double until_;
  ProgressStyle style_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now(), next_;
};

}  // namespace stickslip::cli
