#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace stickslip::cli {

// One line on the terminal that shows how far a run is: simulated time, rate, time left.
class Progress {
 public:
  Progress(double until, bool visible) : until_(until), visible_(visible) {}

  void show(double time) {
    if (!visible_) return;
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    const double wall = std::chrono::duration<double>(now - start_).count();
    const double part = until_ > 0 ? std::clamp(time / until_, 0.0, 1.0) : 1.0;
    const int filled = static_cast<int>(part * kWidth);
    const double rate = wall > 0 ? time / wall : 0;
    const double left = rate > 0 ? (until_ - time) / rate : 0;
    fmt::print(stderr, "\r[{:<{}}] {:.3f} / {:.3f} s, {:.3g} x real time, {:.0f} s left  ", std::string(filled, '='),
               kWidth, time, until_, rate, left);
    std::fflush(stderr);
    shown_ = true;
  }

  void finish() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kWidth = 24;
  double until_;
  bool visible_, shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + std::chrono::milliseconds(300);  // short runs show nothing
};

}  // namespace stickslip::cli
