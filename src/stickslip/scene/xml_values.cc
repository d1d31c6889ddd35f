#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "stickslip/scene/xml.h"

// Reading values: the strict half of xml.h.
namespace stickslip {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// from_chars refuses numbers too small for a double; those mean zero.
bool is_underflow(std::string_view text) {
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos ||
         text.find("0.") != std::string_view::npos;
}

[[noreturn]] void refuse(std::string_view text, const Location& where, std::string_view what, std::string_view kind) {
  throw ModelError("bad-number", where, fmt::format("{} is not {}", what, kind), std::string(text),
                   "write a plain decimal number such as 1.0");
}

double number_from(std::string_view word, const Location& where, std::string_view what) {
  std::string_view digits = word;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty()) refuse(word, where, what, "a number");
  if (error == std::errc::result_out_of_range) {
    if (is_underflow(digits)) return 0;
    refuse(word, where, what, "a number a double can hold");
  }
  if (error != std::errc()) refuse(word, where, what, "a number");
  if (!std::isfinite(value)) refuse(word, where, what, "a finite number");
  return value;
}

std::string describe(const XmlElement& element, std::string_view attribute) {
  return fmt::format("'{}' of <{}>", attribute, element.name);
}

}  // namespace

double parse_number(std::string_view text, const Location& where, std::string_view what) {
  return number_from(trimmed(text), where, what);
}

int parse_integer(std::string_view text, const Location& where, std::string_view what) {
  std::string_view word = trimmed(text);
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw ModelError("bad-number", where, fmt::format("{} is not a whole number", what), std::string(text),
                     "write a whole number such as 3");
  }
  return value;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> out;
  std::size_t i = 0;
  while ((i = text.find_first_not_of(kBlanks, i)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, i), text.size());
    out.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return out;
}

std::vector<double> parse_numbers(std::string_view text, const Location& where, std::string_view what) {
  std::vector<double> out;
  std::size_t i = 0;
  while ((i = text.find_first_not_of(kBlanks, i)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, i), text.size());
    out.push_back(number_from(text.substr(i, end - i), where, what));
    i = end;
  }
  return out;
}

Location XmlElement::where() const { return {file ? *file : std::string(), line, column}; }

Location XmlElement::content_where() const {
  return content.line ? Location{file ? *file : std::string(), content.line, content.column} : where();
}

Location XmlElement::where(std::string_view attribute) const {
  const XmlAttribute* found = find(attribute);
  return found ? Location{file ? *file : std::string(), found->line, found->column} : where();
}

const XmlAttribute* XmlElement::find(std::string_view attribute) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name == attribute) return &candidate;
  }
  return nullptr;
}

const XmlElement* XmlElement::child(std::string_view child_name) const {
  for (const XmlElement& candidate : children) {
    if (candidate.name == child_name) return &candidate;
  }
  return nullptr;
}

std::optional<std::string> XmlElement::text(std::string_view attribute) const {
  const XmlAttribute* found = find(attribute);
  return found ? std::optional(found->value) : std::nullopt;
}

std::string XmlElement::text(std::string_view attribute, std::string_view fallback) const {
  const XmlAttribute* found = find(attribute);
  return found ? found->value : std::string(fallback);
}

std::string XmlElement::required_text(std::string_view attribute) const {
  if (const XmlAttribute* found = find(attribute)) return found->value;
  throw ModelError("missing-attribute", where(), fmt::format("<{}> needs '{}'", name, attribute), "",
                   fmt::format("add {}=\"...\"", attribute));
}

std::optional<double> XmlElement::number(std::string_view attribute) const {
  const XmlAttribute* found = find(attribute);
  if (!found) return std::nullopt;
  return parse_number(found->value, where(attribute), describe(*this, attribute));
}

double XmlElement::number(std::string_view attribute, double fallback) const {
  return number(attribute).value_or(fallback);
}

double XmlElement::required_number(std::string_view attribute) const {
  return parse_number(required_text(attribute), where(attribute), describe(*this, attribute));
}

std::optional<int> XmlElement::integer(std::string_view attribute) const {
  const XmlAttribute* found = find(attribute);
  if (!found) return std::nullopt;
  return parse_integer(found->value, where(attribute), describe(*this, attribute));
}

int XmlElement::integer(std::string_view attribute, int fallback) const {
  return integer(attribute).value_or(fallback);
}

std::optional<std::vector<double>> XmlElement::numbers(std::string_view attribute, std::size_t at_least,
                                                       std::size_t at_most) const {
  const XmlAttribute* found = find(attribute);
  if (!found) return std::nullopt;
  std::vector<double> out = parse_numbers(found->value, where(attribute), describe(*this, attribute));
  if (out.size() < at_least || out.size() > at_most) {
    const std::string expected =
        at_least == at_most ? fmt::format("{}", at_least) : fmt::format("{} to {}", at_least, at_most);
    throw ModelError("wrong-count", where(attribute),
                     fmt::format("{} has {} numbers; expected {}", describe(*this, attribute), out.size(), expected),
                     found->value, fmt::format("write {} numbers parted by blanks", expected));
  }
  return out;
}

std::optional<Vector3d> XmlElement::vector3(std::string_view attribute) const {
  const auto values = numbers(attribute, 3, 3);
  if (!values) return std::nullopt;
  return Vector3d((*values)[0], (*values)[1], (*values)[2]);
}

Vector3d XmlElement::vector3(std::string_view attribute, const Vector3d& fallback) const {
  return vector3(attribute).value_or(fallback);
}

}  // namespace stickslip
