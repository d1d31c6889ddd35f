#include "progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace stickslip::cli {
namespace {

using namespace std::chrono_literals;

constexpr int kWidth = 24;  // of the bar
// From so much wall time on, and if so much more is to be waited for, it is said what holds a run [s].
constexpr double kPatience = 3, kLong = 60;

// "12 s", "3:07", "2:05:00".
std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e9) + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

Progress::Progress(double until, ProgressStyle style)
    : until_(until), style_(style), next_(start_ + (style == ProgressStyle::kBar ? 300ms : 2000ms)) {}

void Progress::show(const Simulator& simulator) {
  const Clock::time_point now = Clock::now();
  if (style_ == ProgressStyle::kNone || now < next_) return;
  next_ = now + (style_ == ProgressStyle::kBar ? 100ms : now - start_ < 5s ? 2000ms : 5000ms);
  const double wall = std::chrono::duration<double>(now - start_).count(), time = simulator.time();
  const double rate = wall > 0 ? time / wall : 0;
  const std::string left = rate > 0 ? duration((until_ - time) / rate) + " left" : "";
  const std::string held = stands_still(wall, time) ? simulator.held_by() : "";
  const std::string facts = fmt::format("{:.3f} / {:.6g} s, {:.3g} x real time, steps of {}, {}", time, until_, rate,
                                        step_size_words(simulator.last_step()), left);
  if (style_ == ProgressStyle::kLines) {
    fmt::print(stderr, "{}\n", facts);
    if (!held.empty() && held != told_) fmt::print(stderr, "{}\n", told_ = held);
  } else {
    if (!held.empty() && held != told_) fmt::print(stderr, "\r{}\x1b[K\n", told_ = held);
    const double part = until_ > 0 ? std::clamp(time / until_, 0.0, 1.0) : 1.0;
    const std::string filled(static_cast<size_t>(part * kWidth), '=');
    fmt::print(stderr, "\r[{:<{}}] {}\x1b[K", filled, kWidth, facts);
  }
  std::fflush(stderr);
  shown_ = true;
}

// By how far it came since the last look that is a while ago: a run may stand still in its middle.
bool Progress::stands_still(double wall, double time) {
  if (wall - last_wall_ >= kPatience) {
    const double rate = (time - last_time_) / (wall - last_wall_);
    is_slow_ = until_ - time > rate * kLong;
    last_wall_ = wall;
    last_time_ = time;
  }
  return is_slow_;
}

void Progress::finish() {
  if (shown_ && style_ == ProgressStyle::kBar) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace stickslip::cli
