#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "stickslip/simulate/simulator_options.h"

namespace stickslip::cli {

// --time-step: a number of seconds, or the word 'file' for the step that the scene's file names.
struct TimeStepArgument {
  std::optional<double> seconds;
  bool is_of_file = false;

  void add_to(CLI::App& command, const std::string& description) {
    command
        .add_option_function<std::string>(
            "--time-step",
            [this](const std::string& word) {
              is_of_file = word == "file";
              double number = 0;
              if (!is_of_file && !CLI::detail::lexical_cast(word, number))
                throw CLI::ValidationError("--time-step", "'" + word + "' is neither a number of seconds nor 'file'");
              if (!is_of_file) seconds = number;
            },
            description)
        ->type_name("FLOAT|file");
  }
  std::optional<double> of(const Model& model) const { return is_of_file ? file_time_step(model) : seconds; }
};

}  // namespace stickslip::cli
