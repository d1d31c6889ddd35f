#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "stickslip/shapes/mesh_assembly.h"

namespace stickslip {

// The diffuse colours in the material files that an OBJ file names. Colours are for the eye alone: whatever is missing
// or wrong in there is passed over.
class MtlColors {
 public:
  explicit MtlColors(std::string obj_file) : obj_file_(std::move(obj_file)) {}

  void read_libraries(std::string_view names);          // what follows "mtllib": a file, or several
  void parse(std::string_view text, std::string file);  // pictures are relative to `file`
  std::optional<Color> find(std::string_view name) const;

 private:
  bool read_library(const std::string& name);

  std::string obj_file_;
  std::set<std::string> files_;  // that were read
  std::map<std::string, Color, std::less<>> colors_;
};

// The name of a material: the rest of its line, for it may have blanks.
std::string mtl_name(std::string_view rest);

}  // namespace stickslip
