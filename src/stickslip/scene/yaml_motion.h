#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

// Prescribed motion: a sine, a constant velocity or a table. A joint has its own axis, so `of_joint` allows none here.
Motion read_motion(const YamlValue& value, const std::string& what, const YamlContext& context, bool of_joint);

// Rows of numbers: a list of lists in the file, or the name of a CSV file (a first line of words and lines that start
// with # are skipped).
std::vector<std::vector<double>> read_rows(const YamlValue& value, const std::string& what, const YamlContext& context);

}  // namespace stickslip
