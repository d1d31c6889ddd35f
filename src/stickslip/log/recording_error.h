#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

namespace stickslip {

// A recording cannot be read or written: what() names the file, what is wrong with it, and what to do.
class RecordingError : public std::runtime_error {
 public:
  RecordingError(const std::string& file, const std::string& message) : std::runtime_error(file + ": " + message) {}
  explicit RecordingError(const std::string& whole) : std::runtime_error(whole) {}  // as another one said it
};

// A run was killed before its first block was whole.
class NothingRecorded : public RecordingError {
 public:
  explicit NothingRecorded(const std::string& file)
      : RecordingError(file, "the run was killed before anything was recorded; run it again") {}
};

// Nothing is wrong with what was asked for, but the system would not write any more of the file: a full disk, mostly.
class NotWritten : public RecordingError {
 public:
  NotWritten(const std::string& file, int error)
      : RecordingError(file,
                       std::string("cannot be written: ") + std::strerror(error) + "; make room, or write elsewhere") {}
  NotWritten(const std::string& file, const std::string& message) : RecordingError(file, message) {}
};

}  // namespace stickslip
