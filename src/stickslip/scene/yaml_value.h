#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stickslip/base/error.h"

namespace stickslip {

struct YamlEntry;

// One node of a YAML document, immutable once parsed, which its root keeps alive. Aliases share the node they name.
struct YamlValue {
  enum class Kind : std::uint8_t { kNull, kScalar, kList, kMap };
  Kind kind = Kind::kNull;
  bool quoted = false;  // a scalar in quotes is text even if it looks like a number
  int line = 0;
  int column = 0;
  std::uint32_t expanded_size = 1;  // nodes below and including this one, each alias counted as often as it is used
  std::string scalar;
  std::vector<YamlEntry> entries;     // of a list or a map, in file order
  const std::string* file = nullptr;  // the document's

  Location where() const { return {*file, line, column}; }
  bool is_map() const { return kind == Kind::kMap; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_null() const { return kind == Kind::kNull; }
};

struct YamlEntry {
  const YamlValue* name = nullptr;  // none in a list
  const YamlValue* value = nullptr;

  const std::string& key() const;  // empty in a list
  Location key_where() const { return name->where(); }
};

// Parses one document. Own tree instead of YAML::Node: every node keeps its place, repeated keys are errors, and
// aliases that multiply ("billion laughs") or contain themselves are refused before anything walks them. What a text
// may grow to in memory is bounded while it is read.
std::shared_ptr<const YamlValue> parse_yaml(const std::string& text, const std::string& file);

}  // namespace stickslip
