#include "stickslip/scene/yaml_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "stickslip/scene/xml.h"

namespace stickslip {
namespace {

bool is_header(const std::string& line) {
  return std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalpha(c) && c != 'e' && c != 'E'; });
}

std::vector<std::vector<double>> read_csv(const std::string& file, const Location& from, const std::string& what) {
  std::istringstream in(read_text_file(file, from));
  std::vector<std::vector<double>> rows;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find_first_not_of(" \t\r,") == std::string::npos || line[0] == '#') continue;
    if (number == 1 && is_header(line)) continue;
    std::replace(line.begin(), line.end(), ',', ' ');
    rows.push_back(parse_numbers(line, {file, number, 1}, what));
  }
  return rows;
}

void read_table(const YamlValue& value, const YamlMap& map, const YamlContext& context, Motion& motion) {
  const std::string what = map.of("table");
  const std::vector<std::vector<double>> rows = read_rows(value, what, context);
  if (rows.size() < 2) {
    throw ModelError("bad-table", value.where(), what + " has fewer than two rows", value.scalar,
                     "give at least two rows [time, position]");
  }
  for (const std::vector<double>& row : rows) {
    if (row.size() != 2) {
      throw ModelError("bad-table", value.where(), fmt::format("a row of {} has {} numbers", what, row.size()),
                       value.scalar, "write two numbers a row: time in s, then metres or radians");
    }
    if (!motion.times.empty() && row[0] <= motion.times.back()) {
      throw ModelError("bad-table", value.where(),
                       fmt::format("times of {} do not increase: {} after {}", what, row[0], motion.times.back()),
                       value.scalar, "sort the rows by time and drop repeated times");
    }
    motion.times.push_back(row[0]);
    motion.values.push_back(row[1]);
  }
}

}  // namespace

std::vector<std::vector<double>> read_rows(const YamlValue& value, const std::string& what,
                                           const YamlContext& context) {
  if (value.is_scalar()) return read_csv(context.resolve(to_text(value, what), value.where()), value.where(), what);
  std::vector<std::vector<double>> rows;
  for (const YamlEntry& row : to_list(value, what)) rows.push_back(to_numbers(*row.value, what, 1, SIZE_MAX));
  return rows;
}

Motion read_motion(const YamlValue& value, const std::string& what, const YamlContext& context, bool of_joint) {
  YamlMap map(value, what);
  Motion motion;
  if (!of_joint) {
    motion.axis = map.axis("axis", Vector3d::UnitX());
    motion.rotates = map.flag("rotate", false);
  }
  const YamlValue* table = map.find("table");
  const bool sine = map.has("amplitude");
  const bool constant = map.has("velocity");
  if (int{table != nullptr} + int{sine} + int{constant} != 1) {
    map.fail("bad-motion", what + " must be exactly one of a sine, a velocity and a table",
             "give amplitude and frequency, or velocity, or table");
  }
  if (table) {
    motion.kind = Motion::Kind::kTable;
    read_table(*table, map, context, motion);
  } else if (sine) {
    motion.kind = Motion::Kind::kSine;
    motion.amplitude = map.required_number("amplitude");
    motion.frequency = map.required_number("frequency", Bound::kNonNegative);
    motion.phase = map.number("phase", 0);
  } else {
    motion.kind = Motion::Kind::kConstant;
    motion.velocity = map.required_number("velocity");
  }
  map.done();
  return motion;
}

}  // namespace stickslip
