#include "stickslip/base/error.h"

#include <fmt/format.h>

#include "stickslip/base/printable.h"

namespace stickslip {
namespace {

constexpr size_t kLongestText = 200;  // shown of what the user wrote

// For a terminal: control characters would do things to it, and a whole file would fill it.
std::string shown(const std::string& text) {
  std::string out = text.substr(0, kLongestText);
  while (!out.empty() && out.size() < text.size() && (static_cast<unsigned char>(text[out.size()]) & 0xc0) == 0x80)
    out.pop_back();  // not in the middle of a character
  const bool is_cut = out.size() < text.size();
  out = printable(out);
  return is_cut ? out + " ..." : out;
}

std::string describe(const std::string& code, const Location& where, const std::string& message,
                     const std::string& text, const std::string& fix) {
  std::string out = fmt::format("{}: {} [{}]", where.str(), on_one_line(message), code);
  if (!text.empty()) out += fmt::format("\n    {}", shown(text));
  if (!fix.empty()) out += fmt::format("\n  fix: {}", fix);
  return out;
}

}  // namespace

std::string Location::str() const {
  const std::string name = file.empty() ? "<memory>" : on_one_line(file);
  if (line <= 0) return name;
  if (column <= 0) return fmt::format("{}:{}", name, line);
  return fmt::format("{}:{}:{}", name, line, column);
}

ModelError::ModelError(std::string code, Location where, const std::string& message, std::string text, std::string fix)
    : std::runtime_error(describe(code, where, message, text, fix)),
      code_(std::move(code)),
      where_(std::move(where)),
      message_(message),
      text_(std::move(text)),
      fix_(std::move(fix)) {}

std::string Warning::str() const {
  return fmt::format("{}: warning: {} [{}]", where.str(), on_one_line(message), code);
}

}  // namespace stickslip
