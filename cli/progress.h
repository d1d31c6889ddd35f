#pragma once

#include <chrono>
#include <string>

#include "stickslip/stickslip.h"

namespace stickslip::cli {

enum class ProgressStyle {
  kNone,
  kBar,    // one line that is drawn again and again: a terminal
  kLines,  // now and then a line more: a file or a pipe
};

// Shows on stderr how far a run is: simulated time, rate, size of the steps, time left; and, of one that stands still,
// what holds it. Short runs show nothing.
class Progress {
 public:
  Progress(double until, ProgressStyle style);
  void show(const Simulator& simulator);
  void finish();  // the bar goes away

 private:
  bool stands_still(double wall, double time);

  using Clock = std::chrono::steady_clock;
  double until_;
  ProgressStyle style_;
  bool shown_ = false;
  bool is_slow_ = false;
  double last_wall_ = 0, last_time_ = 0;  // of the last look at how fast it goes [s]
  std::string told_;                      // about what holds it
  Clock::time_point start_ = Clock::now(), next_;
};

}  // namespace stickslip::cli
