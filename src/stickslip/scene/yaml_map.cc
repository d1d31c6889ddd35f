#include "stickslip/scene/yaml_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "stickslip/base/names.h"

namespace stickslip {
namespace {

// Shorter axes and quaternions have no direction worth trusting.
constexpr double kShortestDirection = 1e-12;
constexpr double kUnitRoundOff = 1e-15;

std::string kind_name(const YamlValue& value) {
  switch (value.kind) {
    case YamlValue::Kind::kNull:
      return "empty";
    case YamlValue::Kind::kScalar:
      return value.quoted ? "text in quotes" : "a single value";
    case YamlValue::Kind::kList:
      return "a list";
    case YamlValue::Kind::kMap:
      return "a map";
  }
  return "";
}

[[noreturn]] void bad_type(const YamlValue& value, const std::string& what, const std::string& expected,
                           const std::string& fix) {
  throw ModelError("bad-type", value.where(), fmt::format("{} must be {}, not {}", what, expected, kind_name(value)),
                   value.scalar, fix);
}

// YAML 1.2 core schema: decimal numbers, .inf, .nan; nothing octal, hexadecimal or with underscores.
std::optional<double> parse_yaml_number(const std::string& text) {
  std::string_view digits = text;
  double sign = 1;
  if (!digits.empty() && (digits[0] == '+' || digits[0] == '-')) {
    sign = digits[0] == '-' ? -1 : 1;
    digits.remove_prefix(1);
  }
  if (digits == ".inf" || digits == ".Inf" || digits == ".INF") return sign * kInfinity;
  if (digits == ".nan" || digits == ".NaN" || digits == ".NAN") return std::nan("");
  // from_chars would also take "inf", "nan" and a second sign.
  if (digits.empty() || !(std::isdigit(static_cast<unsigned char>(digits[0])) || digits[0] == '.')) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return sign * value;
}

void check_bound(double x, Bound bound, const YamlValue& value, const std::string& what) {
  const auto refuse = [&](const char* expected, const char* fix) {
    throw ModelError("bad-value", value.where(), fmt::format("{} must be {}", what, expected), value.scalar, fix);
  };
  if (std::isnan(x)) refuse("a number, not NaN", "write a decimal number");
  if (std::isinf(x) && bound != Bound::kNotNan && bound != Bound::kPositiveOrInfinite)
    refuse("finite", "write a finite number");
  if ((bound == Bound::kPositive || bound == Bound::kPositiveOrInfinite) && !(x > 0))
    refuse("greater than zero", "write a positive number");
  if (bound == Bound::kNonNegative && x < 0) refuse("zero or more", "write a number that is not negative");
}

}  // namespace

double to_number(const YamlValue& value, const std::string& what, Bound bound) {
  const std::string fix = "write a plain decimal number such as 1.0 or 2e-3 (.inf where infinity is allowed)";
  if (!value.is_scalar() || value.quoted) bad_type(value, what, "a number", fix);
  const std::optional<double> number = parse_yaml_number(value.scalar);
  if (!number) throw ModelError("bad-number", value.where(), what + " is not a number", value.scalar, fix);
  check_bound(*number, bound, value, what);
  return *number;
}

bool to_flag(const YamlValue& value, const std::string& what) {
  if (value.is_scalar() && !value.quoted) {
    const std::string& s = value.scalar;
    if (s == "true" || s == "True" || s == "TRUE") return true;
    if (s == "false" || s == "False" || s == "FALSE") return false;
  }
  bad_type(value, what, "true or false", "write true or false");
}

std::string to_text(const YamlValue& value, const std::string& what) {
  if (!value.is_scalar()) bad_type(value, what, "a word or text", "");
  if (value.scalar.empty()) throw ModelError("bad-value", value.where(), what + " is empty");
  return value.scalar;
}

const std::vector<YamlEntry>& to_list(const YamlValue& value, const std::string& what) {
  if (!value.is_list() && !value.is_null()) bad_type(value, what, "a list", "start each item with '- '");
  return value.entries;
}

const std::vector<YamlEntry>& to_entries(const YamlValue& value, const std::string& what) {
  if (!value.is_map() && !value.is_null()) bad_type(value, what, "a map", "write {key: value, ...}");
  return value.entries;
}

std::vector<double> to_numbers(const YamlValue& value, const std::string& what, size_t least, size_t most,
                               Bound bound) {
  const std::string expected =
      least == most ? fmt::format("a list of {} numbers", least)
                    : (most == SIZE_MAX ? "a list of numbers" : fmt::format("a list of {} to {} numbers", least, most));
  if (!value.is_list()) bad_type(value, what, expected, "write [1, 2, 3]");
  if (value.entries.size() < least || value.entries.size() > most) {
    throw ModelError("bad-size", value.where(),
                     fmt::format("{} has {} numbers; it must be {}", what, value.entries.size(), expected));
  }
  std::vector<double> numbers;
  numbers.reserve(value.entries.size());
  for (const YamlEntry& entry : value.entries) numbers.push_back(to_number(*entry.value, what, bound));
  return numbers;
}

std::vector<double> to_number_or_numbers(const YamlValue& value, const std::string& what, size_t most) {
  if (value.is_list()) return to_numbers(value, what, 1, most);
  return {to_number(value, what)};
}

Vector3d to_vector(const YamlValue& value, const std::string& what, Bound bound) {
  const std::vector<double> x = to_numbers(value, what, 3, 3, bound);
  return {x[0], x[1], x[2]};
}

Pose to_pose(const YamlValue& value, const std::string& what) {
  YamlMap map(value, what);
  Pose pose = Pose::at(map.vector("position", Vector3d::Zero()));
  const YamlValue* quaternion = map.find("quaternion");
  const YamlValue* rpy = map.find("rpy");
  if (quaternion && rpy) {
    map.fail("two-rotations", what + " gives both quaternion and rpy", "keep one of them");
  }
  if (quaternion) {
    const std::vector<double> wxyz = to_numbers(*quaternion, map.of("quaternion"), 4, 4);
    const Quaterniond q(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    if (!(q.norm() > kShortestDirection) || !std::isfinite(q.norm())) {
      throw ModelError("bad-value", quaternion->where(), map.of("quaternion") + " has no direction", "",
                       "write [w, x, y, z]; no rotation is [1, 0, 0, 0]");
    }
    pose.rotation = q.normalized().toRotationMatrix();
  }
  if (rpy) {
    const Vector3d a = to_vector(*rpy, map.of("rpy"));  // about the fixed axes x, then y, then z
    pose.rotation = (Eigen::AngleAxisd(a[2], Vector3d::UnitZ()) * Eigen::AngleAxisd(a[1], Vector3d::UnitY()) *
                     Eigen::AngleAxisd(a[0], Vector3d::UnitX()))
                        .toRotationMatrix();
  }
  map.done();
  return pose;
}

Range to_range(const YamlValue& value, const std::string& what) {
  YamlMap map(value, what);
  Range range;
  range.lower = map.number("lower", -kInfinity, Bound::kNotNan);
  range.upper = map.number("upper", kInfinity, Bound::kNotNan);
  map.done();
  if (range.lower > range.upper) {
    map.fail("bad-range", fmt::format("{} has lower {} above upper {}", what, range.lower, range.upper), "swap them");
  }
  return range;
}

YamlMap::YamlMap(const YamlValue& value, std::string what) : value_(value), what_(std::move(what)) {
  to_entries(value, what_);
}

const YamlValue* YamlMap::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  for (const YamlEntry& entry : value_.entries) {
    if (entry.key() == key) return entry.value->is_null() ? nullptr : entry.value;
  }
  return nullptr;
}

const YamlValue& YamlMap::require(const std::string& key, const std::string& fix) {
  const YamlValue* value = find(key);
  if (value) return *value;
  fail("missing-key", fmt::format("{} has no '{}'", what_, key), fix.empty() ? fmt::format("add '{}: ...'", key) : fix);
}

double YamlMap::number(const std::string& key, double fallback, Bound bound) {
  return maybe_number(key, bound).value_or(fallback);
}

double YamlMap::required_number(const std::string& key, Bound bound) { return to_number(require(key), of(key), bound); }

std::optional<double> YamlMap::maybe_number(const std::string& key, Bound bound) {
  const YamlValue* value = find(key);
  if (!value) return {};
  return to_number(*value, of(key), bound);
}

int YamlMap::integer(const std::string& key, int fallback, double least, double most) {
  const YamlValue* value = find(key);
  if (!value) return fallback;
  const double number = to_number(*value, of(key));
  if (number != std::floor(number) || number < least || number > most) {
    throw ModelError("bad-value", value->where(),
                     fmt::format("{} must be a whole number from {} to {}", of(key), least, most), value->scalar);
  }
  return static_cast<int>(number);
}

bool YamlMap::flag(const std::string& key, bool fallback) {
  const YamlValue* value = find(key);
  return value ? to_flag(*value, of(key)) : fallback;
}

std::string YamlMap::text(const std::string& key, const std::string& fallback) {
  const YamlValue* value = find(key);
  return value ? to_text(*value, of(key)) : fallback;
}

std::string YamlMap::required_text(const std::string& key) { return to_text(require(key), of(key)); }

Vector3d YamlMap::vector(const std::string& key, const Vector3d& fallback) {
  const YamlValue* value = find(key);
  return value ? to_vector(*value, of(key)) : fallback;
}

Vector3d YamlMap::axis(const std::string& key, const Vector3d& fallback) {
  const YamlValue* value = find(key);
  if (!value) return fallback;
  const Vector3d axis = to_vector(*value, of(key));
  const double length = axis.stableNorm();
  if (!(length > kShortestDirection)) {
    throw ModelError("zero-axis", value->where(), of(key) + " has no direction", "", "write a unit vector: [0, 0, 1]");
  }
  // Axes that are unit to round-off stay as written: a scene written by us reads back bit by bit.
  return std::abs(length - 1) < kUnitRoundOff ? axis : Vector3d(axis / length);
}

Pose YamlMap::pose(const std::string& key) {
  const YamlValue* value = find(key);
  return value ? to_pose(*value, of(key)) : Pose{};
}

Range YamlMap::range(const std::string& key) {
  const YamlValue* value = find(key);
  return value ? to_range(*value, of(key)) : Range{};
}

void YamlMap::done() const {
  for (const YamlEntry& entry : value_.entries) {
    if (std::find(known_.begin(), known_.end(), entry.key()) != known_.end()) continue;
    throw ModelError("unknown-key", entry.key_where(), fmt::format("{} has no key '{}'", what_, entry.key()),
                     entry.key(), did_you_mean(entry.key(), known_));
  }
}

void YamlMap::fail(const std::string& code, const std::string& message, const std::string& fix) const {
  throw ModelError(code, where(), message, "", fix);
}

}  // namespace stickslip
