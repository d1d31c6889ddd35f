#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stickslip/math/pose.h"
#include "stickslip/scene/scene.h"
#include "stickslip/scene/yaml_value.h"

// Typed, strict reading of YAML values. `what` names the quantity in error messages: "mass of body 'rod'".
namespace stickslip {

enum class Bound { kFinite, kNonNegative, kPositive, kPositiveOrInfinite, kNotNan };

double to_number(const YamlValue& value, const std::string& what, Bound bound = Bound::kFinite);
bool to_flag(const YamlValue& value, const std::string& what);
std::string to_text(const YamlValue& value, const std::string& what);
std::vector<double> to_numbers(const YamlValue& value, const std::string& what, size_t least, size_t most,
                               Bound bound = Bound::kFinite);
std::vector<double> to_number_or_numbers(const YamlValue& value, const std::string& what, size_t most);
Vector3d to_vector(const YamlValue& value, const std::string& what, Bound bound = Bound::kFinite);
Pose to_pose(const YamlValue& value, const std::string& what);
Range to_range(const YamlValue& value, const std::string& what);
const std::vector<YamlEntry>& to_entries(const YamlValue& value, const std::string& what);  // of a map with any keys
const std::vector<YamlEntry>& to_list(const YamlValue& value, const std::string& what);

// One map of the file. Every key asked for becomes a known key; done() refuses the others.
class YamlMap {
 public:
  YamlMap(const YamlValue& value, std::string what);

  const YamlValue* find(const std::string& key);  // null if absent or empty
  const YamlValue& require(const std::string& key, const std::string& fix = "");
  bool has(const std::string& key) { return find(key) != nullptr; }

  double number(const std::string& key, double fallback, Bound bound = Bound::kFinite);
  double required_number(const std::string& key, Bound bound = Bound::kFinite);
  std::optional<double> maybe_number(const std::string& key, Bound bound = Bound::kFinite);
  int integer(const std::string& key, int fallback, double least, double most);
  bool flag(const std::string& key, bool fallback);
  std::string text(const std::string& key, const std::string& fallback);
  std::string required_text(const std::string& key);
  Vector3d vector(const std::string& key, const Vector3d& fallback);
  Vector3d axis(const std::string& key, const Vector3d& fallback);  // normalised; zero is an error
  Pose pose(const std::string& key = "pose");
  Range range(const std::string& key);

  void done() const;

  void set_what(std::string what) { what_ = std::move(what); }
  const std::string& what() const { return what_; }
  std::string of(const std::string& key) const { return key + " of " + what_; }
  Location where() const { return value_.where(); }
  [[noreturn]] void fail(const std::string& code, const std::string& message, const std::string& fix = "") const;

 private:
  const YamlValue& value_;
  std::string what_;
  std::vector<std::string> known_;
};

}  // namespace stickslip
