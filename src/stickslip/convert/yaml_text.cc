#include "stickslip/convert/yaml_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "stickslip/base/names.h"
#include "stickslip/convert/exact_text.h"

namespace stickslip::convert {
namespace {

constexpr size_t kLineLength = 120;
constexpr size_t kIndent = 2;

// Words that some readers take for something else.
bool is_reserved(const std::string& word) {
  constexpr std::array kReserved{"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
  return std::find(kReserved.begin(), kReserved.end(), lower_case(word)) != kReserved.end();
}

bool is_plain(const std::string& text) {
  if (text.empty() || is_reserved(text)) return false;
  const auto starts = [](unsigned char c) { return std::isalpha(c) || c == '_'; };
  const auto goes_on = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/'; };
  return starts(static_cast<unsigned char>(text[0])) && std::all_of(text.begin(), text.end(), goes_on);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string scalar_text(const std::string& text) { return is_plain(text) ? text : quoted(text); }

// YAML 1.1 takes 1e-05 for a word, and 1.0e-05 for a number.
std::string yaml_number(double x) {
  if (std::isinf(x)) return x > 0 ? ".inf" : "-.inf";
  std::string text = number_text(x);
  const size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

}  // namespace

YamlText YamlText::number(double x) { return YamlText(Kind::kScalar, yaml_number(x)); }
YamlText YamlText::text(const std::string& text) { return YamlText(Kind::kScalar, scalar_text(text)); }
YamlText YamlText::flag(bool value) { return YamlText(Kind::kScalar, value ? "true" : "false"); }

YamlText YamlText::numbers(const double* x, size_t count) {
  YamlText out = list();
  for (size_t i = 0; i < count; ++i) out.add(number(x[i]));
  return out;
}

YamlText YamlText::pose(const Pose& pose) {
  YamlText out = map();
  if (!pose.position.isZero(0)) out.set("position", vector(pose.position));
  const Quaterniond q = stable_quaternion(pose.rotation);
  if (!q.vec().isZero(0)) out.set("quaternion", numbers({q.w(), q.x(), q.y(), q.z()}));
  return out;
}

YamlText YamlText::range(const Range& range) {
  YamlText out = map();
  if (range.lower > -kInfinity) out.set("lower", number(range.lower));
  if (range.upper < kInfinity) out.set("upper", number(range.upper));
  return out;
}

YamlText& YamlText::set(const std::string& key, YamlText value) {
  entries_.emplace_back(scalar_text(key), std::move(value));
  return *this;
}

YamlText& YamlText::add(YamlText value) {
  entries_.emplace_back("", std::move(value));
  return *this;
}

YamlText& YamlText::block() {
  block_ = true;
  return *this;
}

std::string YamlText::document() const {
  if (entries_.empty()) return "{}\n";
  std::string out;
  print_entries(0, out);
  return out;
}

bool YamlText::fits_on_a_line() const {
  if (block_) return false;
  return std::all_of(entries_.begin(), entries_.end(), [](const auto& entry) { return entry.second.fits_on_a_line(); });
}

bool YamlText::holds_only_scalars() const {
  return std::all_of(entries_.begin(), entries_.end(),
                     [](const auto& entry) { return entry.second.kind_ == Kind::kScalar; });
}

std::string YamlText::flow() const {
  if (kind_ == Kind::kScalar) return scalar_;
  std::string out;
  for (const auto& [key, value] : entries_) {
    if (!out.empty()) out += ", ";
    if (kind_ == Kind::kMap) out += key + ": ";
    out += value.flow();
  }
  return kind_ == Kind::kMap ? "{" + out + "}" : "[" + out + "]";
}

// `prefix` is "key:" or "-"; what follows it is indented by two more.
void YamlText::print(const std::string& prefix, size_t indent, std::string& out) const {
  const std::string start = std::string(indent, ' ') + prefix;
  if (kind_ == Kind::kScalar || entries_.empty()) {
    out += start + " " + flow() + "\n";
    return;
  }
  if (fits_on_a_line()) {
    const std::string line = start + " " + flow();
    if (line.size() <= kLineLength) {
      out += line + "\n";
      return;
    }
    if (kind_ == Kind::kList && holds_only_scalars()) return print_wrapped(start + " [", indent + kIndent, out);
  }
  if (prefix != "-") {
    out += start + "\n";
    return print_entries(indent + kIndent, out);
  }
  // The first entry of an item stands behind its dash.
  const size_t begin = out.size();
  print_entries(indent + kIndent, out);
  out[begin + indent] = '-';
}

void YamlText::print_entries(size_t indent, std::string& out) const {
  for (const auto& [key, value] : entries_) value.print(kind_ == Kind::kMap ? key + ":" : "-", indent, out);
}

void YamlText::print_wrapped(const std::string& line, size_t indent, std::string& out) const {
  std::string current = line;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const std::string item = entries_[i].second.scalar_ + (i + 1 < entries_.size() ? "," : "]");
    const bool first = i == 0;
    if (!first && current.size() + 1 + item.size() > kLineLength) {
      out += current + "\n";
      current = std::string(indent, ' ') + item;
    } else {
      current += (first ? "" : " ") + item;
    }
  }
  out += current + "\n";
}

}  // namespace stickslip::convert
