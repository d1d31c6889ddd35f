#pragma once

#include <string>
#include <string_view>
#include <vector>

// Every code that an error, a warning or a note of convert may have, with what it means, an example and the remedy: the
// one table behind `stickslip explain`, the headings of `stickslip check` and docs/codes.md. A new code is a row here.
namespace stickslip {

enum class Severity {
  kError,
  kErrorOrWarning,  // by the format, or by what it is about
  kWarning,
  kNote,  // of stickslip convert
};

// What became of what a warning is about.
enum class Change {
  kNone,        // it is always an error
  kRepaired,    // it cannot be meant as it is written, and is taken as the nearest that can
  kTranslated,  // it is expressed by something else
  kAssumed,     // it is missing or open, and has a default
  kLeftOut,     // it has no effect
  kNoted,       // it is as written, and worth a look
};

struct Code {
  std::string_view code;
  Severity severity;
  Change change;
  std::string_view meaning;
  std::string_view example;
  std::string_view fix;
};

// By subject, for pages.
struct CodeSection {
  std::string_view title;
  const std::vector<Code>& codes;
};
std::vector<CodeSection> code_sections();

// Null if there is no such code.
const Code* find_code(std::string_view code);
std::vector<std::string> code_names();

const char* to_string(Severity severity);  // "error", "error or warning", "warning", "note"
const char* to_string(Change change);      // "repaired", "translated", "assumed", "left out", "noted"; "" for kNone

// The sections, one a file.
const std::vector<Code>& files_codes();
const std::vector<Code>& words_codes();
const std::vector<Code>& bodies_codes();
const std::vector<Code>& shapes_codes();
const std::vector<Code>& warnings_codes();
const std::vector<Code>& sdf_codes();
const std::vector<Code>& convert_codes();

}  // namespace stickslip
