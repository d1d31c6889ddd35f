#include "stickslip/simulate/in_use.h"

#include <fmt/format.h>

#include <thread>

namespace stickslip {
namespace {

constexpr std::uintptr_t kReads = 1;

// Its address, which is even, names the thread.
thread_local std::uint64_t own_mark = 0;
std::uintptr_t this_thread() { return reinterpret_cast<std::uintptr_t>(&own_mark); }

[[noreturn]] void refuse_from_within(const char* purpose) {
  throw SimulatorBusy(
      fmt::format("cannot {} within a step of the same simulator: a function that the step calls (a controller, a "
                  "recorder, a progress bar, a handler of signals) may read it and set ctrl and mocap; do all else "
                  "between steps, or try it on a copy",
                  purpose));
}

[[noreturn]] void refuse_other_thread(const char* purpose) {
  throw SimulatorBusy(
      fmt::format("cannot {} while another thread uses this simulator: it belongs to one thread at a time; wait for "
                  "that thread, or give each its own copy",
                  purpose));
}

}  // namespace

bool InUse::is_changed() const {
  const std::uintptr_t user = user_.load();
  return user != 0 && (user & kReads) == 0;
}

Reading::Reading(InUse& in_use, const char* purpose) : in_use_(&in_use) {
  for (;;) {
    std::uintptr_t user = 0;
    if (in_use.user_.compare_exchange_strong(user, this_thread() | kReads)) return;
    if ((user & ~kReads) == this_thread()) {
      in_use_ = nullptr;
      return;
    }
    if ((user & kReads) == 0) refuse_other_thread(purpose);
    std::this_thread::yield();
  }
}

Reading::~Reading() {
  if (in_use_) in_use_->user_ = 0;
}

Changing::Changing(InUse& in_use, const char* purpose) : in_use_(in_use) {
  for (;;) {
    std::uintptr_t user = 0;
    if (in_use.user_.compare_exchange_strong(user, this_thread())) return;
    if ((user & ~kReads) == this_thread()) refuse_from_within(purpose);
    if ((user & kReads) == 0) refuse_other_thread(purpose);
    std::this_thread::yield();
  }
}

Changing::~Changing() { in_use_.user_ = 0; }

}  // namespace stickslip
