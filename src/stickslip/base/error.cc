#include "stickslip/base/error.h"

#include <fmt/format.h>

namespace stickslip {
namespace {

std::string describe(const std::string& code, const Location& where, const std::string& message,
                     const std::string& text, const std::string& fix) {
  std::string out = fmt::format("{}: {} [{}]", where.str(), message, code);
  if (!text.empty()) out += fmt::format("\n    {}", text);
  if (!fix.empty()) out += fmt::format("\n  fix: {}", fix);
  return out;
}

}  // namespace

std::string Location::str() const {
  const std::string name = file.empty() ? "<memory>" : file;
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

std::string Warning::str() const { return fmt::format("{}: warning: {} [{}]", where.str(), message, code); }

}  // namespace stickslip
