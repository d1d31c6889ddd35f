#pragma once

#include <fmt/format.h>

#include <chrono>

#include "bindings.h"
#include "gil.h"

namespace stickslip::python {

// Looks for Ctrl-C ten times a second while the GIL is released, and moves the progress bar. The exception stays
// pending for raise_if_interrupted(). Made, and finished, with the GIL.
class InterruptWatch {
 public:
  InterruptWatch(bool progress, double until, double start = 0) {
    if (progress) bar_ = nb::module_::import_("stickslip.progress").attr("Bar")(until, start);
  }
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  void look_at(const Simulator& simulator) { simulator_ = &simulator; }

  // Once interrupted it stays so: whoever is told may ask again.
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (interrupted_ || now < next_) return !interrupted_;
    next_ = now + std::chrono::milliseconds(100);
    const WithGil hold;
    if (bar_.is_valid() && simulator_) show();
    interrupted_ = PyErr_Occurred() || PyErr_CheckSignals() != 0;
    if (interrupted_ && simulator_) say_what_holds();
    return !interrupted_;
  }

  void finish(double time) {
    if (!bar_.is_valid()) return;
    const nb::error_scope pending;  // Ctrl-C, for one
    bar_.attr("show")(time);
    bar_.attr("close")();
    bar_.reset();
  }

 private:
  // Ctrl-C may come while the bar is drawn.
  void show() {
    try {
      bar_.attr("show")(simulator_->time(), simulator_->held_by());
    } catch (nb::python_error& error) {
      error.restore();
    }
  }

  // Who stops a run that stands still wants to know why it does.
  void say_what_holds() const {
    const std::string held = simulator_->held_by();
    if (held.empty() || !PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) return;
    PyErr_SetString(PyExc_KeyboardInterrupt, fmt::format("at t = {:.6g} s; {}", simulator_->time(), held).c_str());
  }

  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
  const Simulator* simulator_ = nullptr;
  bool interrupted_ = false;
  nb::object bar_;
};

inline void raise_if_interrupted() {
  if (PyErr_Occurred()) throw nb::python_error();
}

}  // namespace stickslip::python
