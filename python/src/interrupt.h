#pragma once

#include <chrono>

#include "bindings.h"

namespace stickslip::python {

// Looks for Ctrl-C ten times a second while the GIL is released. The exception stays pending for
// raise_if_interrupted().
class InterruptWatch {
 public:
  bool operator()() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return true;
    next_ = now + std::chrono::milliseconds(100);
    nb::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() == 0;
  }

 private:
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

inline void raise_if_interrupted() {
  if (PyErr_Occurred()) throw nb::python_error();
}

}  // namespace stickslip::python
