#pragma once

#include <stdexcept>
#include <string>

namespace stickslip {

// A place in a user's file. line and column count from 1; 0 means unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  std::string str() const;  // "robot.urdf:14:5", or "<memory>" without a file
};

// The user's file is wrong. Carries everything needed to mend it; what() is the whole story:
//
//   robot.urdf:14:11: mass of link 'arm' is not a number [bad-number]
//       1.0abc
//     fix: write a plain decimal number such as 1.0
class ModelError : public std::runtime_error {
 public:
  ModelError(std::string code, Location where, const std::string& message, std::string text = "", std::string fix = "");

  const std::string& code() const { return code_; }  // stable, kebab-case: "bad-number"
  const Location& where() const { return where_; }
  const std::string& message() const { return message_; }  // what is wrong and what was expected
  const std::string& text() const { return text_; }        // the offending text as written
  const std::string& fix() const { return fix_; }          // how to mend it

 private:
  std::string code_;
  Location where_;
  std::string message_;
  std::string text_;
  std::string fix_;
};

// Something in the user's file that was understood differently from what it says: unsupported, translated or repaired.
struct Warning {
  std::string code;  // stable, kebab-case: "unsupported-element"
  Location where;
  std::string message;  // what it is, and what we do instead

  std::string str() const;  // "file:1:2: warning: message [code]"
};

}  // namespace stickslip
