#pragma once

#include <stdexcept>
#include <string>

namespace stickslip {

// A recording cannot be read or written: what() names the file, what is wrong with it, and what to do.
class RecordingError : public std::runtime_error {
 public:
  RecordingError(const std::string& file, const std::string& message) : std::runtime_error(file + ": " + message) {}
  explicit RecordingError(const std::string& whole) : std::runtime_error(whole) {}  // as another one said it
};

}  // namespace stickslip
