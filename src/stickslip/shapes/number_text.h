#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

namespace stickslip {

// Takes words and numbers off a text, parted by blanks.
class NumberText {
 public:
  explicit NumberText(std::string_view text) : rest_(text) {}

  bool at_end() {
    const std::size_t first = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(first == std::string_view::npos ? rest_.size() : first);
    return rest_.empty();
  }

  std::string_view rest() const { return rest_; }

  // Empty at the end.
  std::string_view take_word() {
    if (at_end()) return {};
    const std::size_t end = std::min(rest_.find_first_of(" \t\r\n"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }

  // False if the next word is no number; it is still there then.
  template <typename Number>
  bool take(Number& number) {
    if (at_end()) return false;
    const char* begin = rest_.data() + (rest_.front() == '+' ? 1 : 0);
    const char* end = rest_.data() + rest_.size();
    auto [after, error] = std::from_chars(begin, end, number);
    if (error == std::errc::invalid_argument || (after != end && !is_blank(*after))) return false;
    if (error == std::errc::result_out_of_range && !take_extreme({begin, after}, number)) return false;
    rest_.remove_prefix(static_cast<std::size_t>(after - rest_.data()));
    return true;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  // Too small a number is zero, too large a one infinite.
  static bool take_extreme(const std::string& word, double& number) {
    number = std::strtod(word.c_str(), nullptr);
    return true;
  }
  static bool take_extreme(const std::string&, long long&) { return false; }

  std::string_view rest_;
};

// A whole word as a finite number; numbers too small for a double are zero.
inline bool is_coordinate(std::string_view word, double& number) {
  NumberText words(word);
  return words.take(number) && words.at_end() && std::isfinite(number);
}

}  // namespace stickslip
