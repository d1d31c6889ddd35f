#include "stickslip/base/codes.h"

namespace stickslip {

std::vector<CodeSection> code_sections() {
  return {{"Files and syntax", files_codes()},   {"Words, numbers and names", words_codes()},
          {"Bodies and joints", bodies_codes()}, {"Geometry, materials and the rest", shapes_codes()},
          {"Warnings", warnings_codes()},        {"SDFormat, and what files of robots lack", sdf_codes()},
          {"Notes of convert", convert_codes()}};
}

const Code* find_code(std::string_view code) {
  for (const CodeSection& section : code_sections()) {
    for (const Code& candidate : section.codes) {
      if (candidate.code == code) return &candidate;
    }
  }
  return nullptr;
}

std::vector<std::string> code_names() {
  std::vector<std::string> out;
  for (const CodeSection& section : code_sections()) {
    for (const Code& code : section.codes) out.emplace_back(code.code);
  }
  return out;
}

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kErrorOrWarning:
      return "error or warning";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
  }
  return "";
}

const char* to_string(Change change) {
  switch (change) {
    case Change::kNone:
      return "";
    case Change::kRepaired:
      return "repaired";
    case Change::kTranslated:
      return "translated";
    case Change::kAssumed:
      return "assumed";
    case Change::kLeftOut:
      return "left out";
    case Change::kNoted:
      return "noted";
  }
  return "";
}

}  // namespace stickslip
