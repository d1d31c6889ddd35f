#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "stickslip/shapes/mesh_assembly.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/number_text.h"
#include "stickslip/shapes/obj_materials.h"

// Wavefront OBJ by hand rather than by library: only positions, faces and their colours matter here, and errors need
// line numbers.
namespace stickslip {
namespace {

constexpr std::string_view kBlanks = " \t\r";

// Takes the next word off the line; empty at its end.
std::string_view next_word(std::string_view& line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return line = {};
  const std::size_t end = std::min(line.find_first_of(kBlanks, first), line.size());
  const std::string_view word = line.substr(first, end - first);
  line.remove_prefix(end);
  return word;
}

class ObjParser {
 public:
  explicit ObjParser(const std::string& file) : colors_(file) { mesh_.file = file; }

  void read_line(std::string_view line) {
    ++line_number_;
    const std::string_view keyword = next_word(line);
    if (keyword == "v") read_vertex(line);
    if (keyword == "f") read_face(line);
    if (keyword == "o" || keyword == "g") name_ = mtl_name(line);
    if (keyword == "mtllib") colors_.read_libraries(line);
    if (keyword == "usemtl") color_ = colors_.find(mtl_name(line));
  }
  Mesh finish() { return std::move(mesh_); }

 private:
  [[noreturn]] void refuse(const std::string& message, std::string_view text) const {
    throw ModelError("bad-mesh", {mesh_.file, line_number_, 0}, message, std::string(text));
  }

  void read_vertex(std::string_view line) {
    Vector3d vertex;
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = next_word(line);
      if (!is_coordinate(word, vertex[k])) refuse("coordinate of a vertex is not a finite number", word);
    }
    mesh_.vertices.push_back(vertex);
  }

  // "7", "7/2", "7//3", "7/2/3"; negative numbers count back from the last vertex.
  int vertex_index(std::string_view word) const {
    long long index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    const bool ends_well = end == word.data() + word.size() || *end == '/';
    if (error != std::errc() || !ends_well) refuse("corner of a face is not a vertex number", word);
    const long long count = static_cast<long long>(mesh_.vertices.size());
    if (index < 0) index += count + 1;
    if (index < 1 || index > count) {
      refuse(fmt::format("face refers to a vertex that is not among the {} read so far", count), word);
    }
    return static_cast<int>(index - 1);
  }

  void read_face(std::string_view line) {
    const std::size_t before = mesh_.triangles.size();
    int corners = 0, first = 0, previous = 0;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      const int index = vertex_index(word);
      if (corners == 0) first = index;
      if (corners >= 2) mesh_.triangles.push_back({first, previous, index});
      previous = index;
      ++corners;
    }
    if (corners < 3) refuse("a face needs at least three corners", line);
    if (color_) add_part(mesh_, before, mesh_.triangles.size() - before, *color_);
    add_name(mesh_, before, mesh_.triangles.size() - before, name_);
  }

  Mesh mesh_;
  MtlColors colors_;
  std::optional<Color> color_;  // of the faces to come
  std::string name_;            // the same
  int line_number_ = 0;
};

}  // namespace

Mesh parse_obj(std::string_view text, const std::string& file) {
  ObjParser parser(file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.finish();
}

}  // namespace stickslip
