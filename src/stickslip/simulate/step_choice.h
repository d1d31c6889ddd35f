#pragma once

#include <optional>
#include <string>

namespace stickslip {

// How the steps of a method are chosen: by accuracy or by size.
struct StepChoice {
  std::optional<double> accuracy;          // under error control
  std::optional<double> time_step;         // [s], of fixed steps
  std::optional<double> unused_file_step;  // [s], that the model's file names and nobody asked for
};

std::string to_string(const StepChoice& choice);  // "accuracy 0.001", "time step 0.002 s"

// "the file's time step of 0.002 s is not used", and how to ask for it; empty if there is none.
std::string unused_step_note(const StepChoice& choice);

}  // namespace stickslip
