#include "stickslip/simulate/step_choice.h"

#include <fmt/format.h>

namespace stickslip {

std::string to_string(const StepChoice& choice) {
  if (choice.accuracy) return fmt::format("accuracy {:g}", *choice.accuracy);
  return choice.time_step ? fmt::format("time step {:g} s", *choice.time_step) : "";
}

std::string unused_step_note(const StepChoice& choice) {
  if (!choice.unused_file_step) return "";
  return fmt::format("the file's time step of {:g} s is not used: time_step='file' (--time-step file) asks for it",
                     *choice.unused_file_step);
}

}  // namespace stickslip
