#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stickslip/math/pose.h"
#include "stickslip/scene/scene.h"

namespace stickslip::convert {

// YAML to be written. What fits on a line is written on one, {like: this}; the rest as blocks, one key a line. Numbers
// read back as the same doubles, also in readers of YAML 1.1.
class YamlText {
 public:
  static YamlText number(double x);
  static YamlText text(const std::string& text);
  static YamlText flag(bool value);
  static YamlText numbers(const double* x, size_t count);
  static YamlText numbers(const std::vector<double>& x) { return numbers(x.data(), x.size()); }
  static YamlText vector(const Vector3d& x) { return numbers(x.data(), 3); }
  static YamlText pose(const Pose& pose);
  static YamlText range(const Range& range);  // open sides left out
  static YamlText list() { return YamlText(Kind::kList); }
  static YamlText map() { return YamlText(Kind::kMap); }

  YamlText& set(const std::string& key, YamlText value);  // of a map
  YamlText& add(YamlText value);                          // to a list
  YamlText& block();                                      // never on one line
  bool empty() const { return entries_.empty(); }

  // Of a map: all its entries, as a document.
  std::string document() const;

 private:
  enum class Kind { kScalar, kList, kMap };
  explicit YamlText(Kind kind, std::string scalar = "") : kind_(kind), scalar_(std::move(scalar)) {}

  bool fits_on_a_line() const;
  bool holds_only_scalars() const;
  std::string flow() const;
  void print(const std::string& prefix, size_t indent, std::string& out) const;
  void print_entries(size_t indent, std::string& out) const;
  void print_wrapped(const std::string& line, size_t indent, std::string& out) const;

  Kind kind_;
  std::string scalar_;
  bool block_ = false;
  std::vector<std::pair<std::string, YamlText>> entries_;
};

}  // namespace stickslip::convert
