#pragma once

#include <string>
#include <vector>

#include "stickslip/base/error.h"

namespace stickslip {

// A file that a text refers to.
struct ConvertedFile {
  std::string name;  // relative to the text's folder
  std::string bytes;
};

// A scene in another format, and all that the format could not say. Nothing is written: that is the caller's.
struct Converted {
  std::string text;
  std::vector<ConvertedFile> files;
  std::vector<Warning> notes;
};

}  // namespace stickslip
