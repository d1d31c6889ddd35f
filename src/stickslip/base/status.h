#pragma once

#include <string>

namespace stickslip {

// How a step or a run ended. Numerical trouble is a value with words, never an exception.
enum class StatusCode {
  kOk,
  kSingularMass,  // a degree of freedom moves no mass
  kNotFinite,     // a number overflowed or became NaN
  kNotSolved,     // the step's equations have no solution that the method can find
  kNotAccurate,   // no step is short enough for the accuracy asked for
  kGainedEnergy,  // energy came from nothing
  kInterrupted,   // the caller asked to stop
  kNotRecorded,   // the recording cannot be written
};

// "ok", "singular-mass", ...: the same word in reports, JSON and Python.
const char* to_string(StatusCode code);

struct Status {
  StatusCode code = StatusCode::kOk;
  double time = 0;      // of the last good state [s]
  std::string body;     // where it happened, if known
  std::string message;  // what happened and what to do about it

  bool ok() const { return code == StatusCode::kOk; }
};

}  // namespace stickslip
