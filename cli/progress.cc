#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace stickslip::cli {
namespace {

using namespace std::chrono_literals;

constexpr int kWidth = 24;  // of the bar

// "12 s", "3:07", "2:05:00".
std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e9) + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

// "0.5 ms", "12 us": sizes of steps span many decades.
std::string step_size(double h) {
  if (h >= 1e-3) return fmt::format("{:.3g} ms", 1e3 * h);
  return h >= 1e-6 ? fmt::format("{:.3g} us", 1e6 * h) : fmt::format("{:.3g} ns", 1e9 * h);
}

}  // namespace

Progress::Progress(double until, ProgressStyle style)
    : until_(until), style_(style), next_(start_ + (style == ProgressStyle::kBar ? 300ms : 2000ms)) {}

void Progress::show(const Simulator& simulator) {
  const Clock::time_point now = Clock::now();
  if (style_ == ProgressStyle::kNone || now < next_) return;
  next_ = now + (style_ == ProgressStyle::kBar ? 100ms : 5000ms);
  const double wall = std::chrono::duration<double>(now - start_).count(), time = simulator.time();
  const double rate = wall > 0 ? time / wall : 0;
  const std::string left = rate > 0 ? duration((until_ - time) / rate) + " left" : "";
  const std::string facts = fmt::format("{:.3f} / {:.6g} s, {:.3g} x real time, steps of {}, {}", time, until_, rate,
                                        step_size(simulator.last_step()), left);
  if (style_ == ProgressStyle::kLines) {
    fmt::print(stderr, "{}\n", facts);
  } else {
    const double part = until_ > 0 ? std::clamp(time / until_, 0.0, 1.0) : 1.0;
    const std::string filled(static_cast<size_t>(part * kWidth), '=');
    fmt::print(stderr, "\r[{:<{}}] {}\x1b[K", filled, kWidth, facts);
  }
  std::fflush(stderr);
  shown_ = true;
}

void Progress::finish() {
  if (shown_ && style_ == ProgressStyle::kBar) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace stickslip::cli
