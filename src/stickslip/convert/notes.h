#pragma once

#include <string>
#include <vector>

#include "stickslip/base/error.h"

namespace stickslip::convert {

// Collects what does not carry over. A robot loses the same thing at each of its joints: one note names them all.
class Notes {
 public:
  // `subject` is whom it happens to: "joint 'elbow'"; empty for the whole scene.
  void add(const std::string& code, const Location& where, const std::string& subject, const std::string& message);

  // In the order of first mention, each at its first place.
  std::vector<Warning> list() const;

 private:
  struct Note {
    std::string code;
    Location where;
    std::string message;
    std::vector<std::string> subjects;
  };
  std::vector<Note> notes_;
};

}  // namespace stickslip::convert
