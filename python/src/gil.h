#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "bindings.h"

// Threads that let go of the GIL and take it again while the interpreter may end. From then on Python unwinds a thread
// that asks for the GIL by force, through C++ that does not allow it. So who asks is counted: the interpreter waits for
// those who have asked, and those who come later stand still and are gone with the program.
namespace stickslip::python {

inline std::atomic<bool> interpreter_ends = false;
inline std::atomic<std::thread::id> ending_thread;  // it has the GIL, and may go on
inline std::atomic<int> gil_visits = 0;

// From before the GIL is asked for until it is not needed any more. Who has it already has no need to wait.
class GilVisit {
 public:
  GilVisit() {
    ++gil_visits;
    const bool may_go_on = ending_thread.load() == std::this_thread::get_id() || PyGILState_Check();
    if (!interpreter_ends || may_go_on) return;
    --gil_visits;
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
  ~GilVisit() { --gil_visits; }
  GilVisit(const GilVisit&) = delete;
  GilVisit& operator=(const GilVisit&) = delete;
};

// For what Python is asked from within a step.
class WithGil {
  GilVisit visit_;
  nb::gil_scoped_acquire acquire_;
};

// For what takes long and needs no Python.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    const GilVisit visit;
    PyEval_RestoreThread(thread_);
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

// With the GIL, as the last thing before the interpreter ends. A function of Python that a step waits for and that
// takes longer than this is given up.
inline void end_gil_visits() {
  constexpr auto kLongest = std::chrono::seconds(10);
  ending_thread = std::this_thread::get_id();
  interpreter_ends = true;
  const nb::gil_scoped_release release;
  const auto began = std::chrono::steady_clock::now();
  while (gil_visits > 0 && std::chrono::steady_clock::now() - began < kLongest)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace stickslip::python
