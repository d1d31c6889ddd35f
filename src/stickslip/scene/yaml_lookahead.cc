#include "stickslip/scene/yaml_lookahead.h"

#include <fmt/format.h>

namespace stickslip {
namespace {

constexpr std::size_t kMostSigns = 750'000;   // at up to 270 bytes
constexpr std::ptrdiff_t kMostOpen = 10'000;  // quotes and comments may have some, too

bool is_sign(char c) {
  constexpr std::string_view kSigns = "[]{},:?&*!|>'\"";
  return kSigns.find(c) != std::string_view::npos;
}

}  // namespace

YamlLookahead::YamlLookahead(const std::string& text, const std::string& file) : last_{file, 1, 1} {
  char* begin = const_cast<char*>(text.data());  // which nobody writes to
  setg(begin, begin, begin + text.size());
}

// From a "#" behind a space on, until a quote: in a text of several lines in quotes the rest of the line may be no
// comment. Nor is it sure to be one behind a quote.
bool YamlLookahead::is_in_comment(char c) {
  if (c == '\n' || c == '\r') {
    has_quote_ = in_comment_ = false;
  } else if (c == '"' || c == '\'') {
    has_quote_ = true;
    in_comment_ = false;
  } else if (c == '#' && !has_quote_ && is_after_space_) {
    in_comment_ = true;
  }
  is_after_space_ = c == ' ' || c == '\t' || c == '\n' || c == '\r';
  return in_comment_;
}

std::streamsize YamlLookahead::xsgetn(char* to, std::streamsize count) {
  const std::streamsize got = std::streambuf::xsgetn(to, count);
  for (const char c : std::string_view(to, static_cast<std::size_t>(got))) {
    if (is_in_comment(c)) continue;
    if (is_sign(c)) ++signs_;
    if (c == '[' || c == '{') ++open_;
    if (c == ']' || c == '}') --open_;
  }
  if (open_ > kMostOpen) {
    throw ModelError("too-deep", last_,
                     fmt::format("behind this place more than {} brackets are not closed", kMostOpen), "",
                     "look for a bracket that is never closed");
  }
  if (signs_ > kMostSigns) {
    throw ModelError(
        "too-large", last_,
        fmt::format("one value behind this place has more than {} brackets, commas and colons", kMostSigns), "",
        "write its items on lines of their own, behind '- ', or a table into a file (.csv)");
  }
  return got;
}

}  // namespace stickslip
