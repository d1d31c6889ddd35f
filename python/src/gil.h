#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "bindings.h"

// Threads that let go of the GIL and take it again while the interpreter may end. From then on Python unwinds a thread
// that asks for the GIL by force, through C++ that does not allow it. So who calls Python from within a step is
// counted: the interpreter waits for those who have asked, and those who come later stand still and are gone with the
// program.
namespace stickslip::python {

inline std::atomic<bool> interpreter_ends = false;
inline std::atomic<std::thread::id> ending_thread;  // it has the GIL, and may go on
inline std::atomic<int> gil_visits = 0;
inline thread_local int own_gil_visits = 0;

[[noreturn]] inline void stand_still() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

// A finalised interpreter says of every thread that it has the GIL.
inline bool has_gil() { return Py_IsInitialized() && PyGILState_Check(); }

// From before the GIL is asked for until it is not needed any more. Who has it already has no need to wait, nor who is
// waited for: a function of Python may simulate, too.
class GilVisit {
 public:
  GilVisit() {
    ++gil_visits;
    const bool may_go_on = own_gil_visits > 0 || ending_thread.load() == std::this_thread::get_id() || has_gil();
    if (interpreter_ends && !may_go_on) {
      --gil_visits;
      stand_still();
    }
    ++own_gil_visits;
  }
  ~GilVisit() {
    --own_gil_visits;
    --gil_visits;
  }
  GilVisit(const GilVisit&) = delete;
  GilVisit& operator=(const GilVisit&) = delete;
};

// For what Python is asked from within a step.
class WithGil {
  GilVisit visit_;
  nb::gil_scoped_acquire acquire_;
};

// For what takes long and needs no Python. Whoever comes back late goes on as long as there is an interpreter: a
// function of atexit may wait for it.
class WithoutGil {
 public:
  WithoutGil() : thread_(PyEval_SaveThread()) {}
  ~WithoutGil() {
    if (!Py_IsInitialized()) stand_still();
    try {
      PyEval_RestoreThread(thread_);
    } catch (...) {  // not an exception: Python ends the thread, and must not unwind it
      stand_still();
    }
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* thread_;
};

// With the GIL, before the interpreter ends. A function of Python that a step waits for and that takes longer than this
// is given up.
inline void end_gil_visits() {
  constexpr auto kLongest = std::chrono::seconds(10);
  ending_thread = std::this_thread::get_id();
  interpreter_ends = true;
  const nb::gil_scoped_release release;
  const auto began = std::chrono::steady_clock::now();
  while (gil_visits > 0 && std::chrono::steady_clock::now() - began < kLongest)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Of a process that was forked, in which this is the only thread.
inline void forget_gil_visits() { gil_visits = own_gil_visits; }

}  // namespace stickslip::python
