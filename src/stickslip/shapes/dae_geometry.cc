#include "stickslip/shapes/dae_geometry.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/shapes/number_text.h"

namespace stickslip {
namespace {

constexpr std::size_t kLargestStride = 1000;  // numbers a vertex, inputs a corner

// Where x, y and z are among the numbers of a vertex; unnamed parameters are to be skipped.
std::array<std::size_t, 3> coordinate_offsets(pugi::xml_node accessor) {
  std::array<std::size_t, 3> out{0, 1, 2};
  std::size_t at = 0;
  for (pugi::xml_node parameter : accessor.children("param")) {
    const std::string_view name = parameter.attribute("name").value();
    if (name == "X") out[0] = at;
    if (name == "Y") out[1] = at;
    if (name == "Z") out[2] = at;
    ++at;
  }
  return out;
}

std::vector<Vector3d> read_positions(const DaeFile& file, pugi::xml_node source) {
  const pugi::xml_node array = source.child("float_array");
  if (!array) file.refuse(source, "a <source> of positions has no <float_array>");
  const std::vector<double> numbers = file.numbers(array);
  const pugi::xml_node accessor = source.child("technique_common").child("accessor");
  const std::size_t stride = accessor.attribute("stride").as_uint(3);
  const std::size_t offset = accessor.attribute("offset").as_uint(0);
  const std::array<std::size_t, 3> at = coordinate_offsets(accessor);
  if (stride <= *std::max_element(at.begin(), at.end()) || stride > kLargestStride) {
    file.refuse(accessor, fmt::format("positions cannot have {} numbers each", stride));
  }
  std::vector<Vector3d> out;
  out.reserve(numbers.size() / stride);
  for (std::size_t i = offset; i + stride <= numbers.size(); i += stride) {
    out.emplace_back(numbers[i + at[0]], numbers[i + at[1]], numbers[i + at[2]]);
  }
  return out;
}

class GeometryReader {
 public:
  GeometryReader(const DaeFile& file, pugi::xml_node mesh) : file_(file), mesh_(mesh) {
    piece_.vertices = read_positions(file, find_positions());
  }

  void read(pugi::xml_node primitive) {
    const std::string_view kind = primitive.name();
    const std::size_t before = piece_.triangles.size();
    if (kind == "polylist") {
      find_corner_layout(primitive);
      read_polylist(primitive);
    } else if (kind == "triangles" || kind == "polygons" || kind == "trifans" || kind == "tristrips") {
      find_corner_layout(primitive);
      for (pugi::xml_node child : primitive.children()) {
        const bool holed = std::string_view(child.name()) == "ph";  // drawn with its holes filled
        const pugi::xml_node list = holed ? child.child("p") : child;
        if (std::string_view(list.name()) == "p") read_list(kind, list);
      }
    }
    if (piece_.triangles.size() > before) piece_.groups.push_back({before, primitive.attribute("material").value()});
  }

  MeshPiece finish() { return std::move(piece_); }

 private:
  // Only a mesh's own sources: what is read stays in proportion to the file.
  pugi::xml_node find_positions() const {
    for (pugi::xml_node input : mesh_.child("vertices").children("input")) {
      if (std::string_view(input.attribute("semantic").value()) != "POSITION") continue;
      const pugi::xml_node source = file_.find(input.attribute("source").value(), "source");
      if (source && source.parent() == mesh_) return source;
    }
    file_.refuse(mesh_, "a <mesh> has no positions");
  }

  void find_corner_layout(pugi::xml_node primitive) {
    bool found = false;
    corner_size_ = 1;
    for (pugi::xml_node input : primitive.children("input")) {
      const std::size_t offset = input.attribute("offset").as_uint(0);
      if (offset >= kLargestStride) file_.refuse(input, "an <input> has an offset that is too large");
      corner_size_ = std::max(corner_size_, offset + 1);
      if (std::string_view(input.attribute("semantic").value()) != "VERTEX") continue;
      vertex_offset_ = offset;
      found = true;
    }
    if (!found) file_.refuse(primitive, fmt::format("<{}> has no input of vertices", primitive.name()));
  }

  // Of each corner the vertex.
  std::vector<int> read_corners(pugi::xml_node list) const {
    std::vector<int> out;
    NumberText words(list.text().get());
    std::size_t at = 0;
    for (; !words.at_end(); ++at) {
      long long index = 0;
      if (!words.take(index)) file_.refuse(list, "an index is not a whole number", words.take_word());
      if (at % corner_size_ == vertex_offset_) out.push_back(checked(list, index));
    }
    if (at % corner_size_ != 0) file_.refuse(list, "a list of indices ends within a corner");
    return out;
  }

  int checked(pugi::xml_node list, long long index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= piece_.vertices.size()) {
      file_.refuse(list, fmt::format("index {} is not among the {} vertices", index, piece_.vertices.size()));
    }
    return static_cast<int>(index);
  }

  void read_list(std::string_view kind, pugi::xml_node list) {
    const std::vector<int> corners = read_corners(list);
    if (kind == "triangles") {
      add_triangles(list, corners);
    } else if (kind == "tristrips") {
      add_strip(corners);
    } else {
      add_fan(corners.data(), corners.size());
    }
  }

  void read_polylist(pugi::xml_node primitive) {
    const pugi::xml_node sizes = primitive.child("vcount");
    const std::vector<int> corners = read_corners(primitive.child("p"));
    NumberText words(sizes.text().get());
    std::size_t at = 0;
    while (!words.at_end()) {
      long long size = 0;
      if (!words.take(size) || size < 0) file_.refuse(sizes, "a count of corners is not a whole number");
      if (static_cast<unsigned long long>(size) > corners.size() - at) {
        file_.refuse(sizes, fmt::format("polygons have more corners than the {} listed", corners.size()));
      }
      add_fan(corners.data() + at, static_cast<std::size_t>(size));
      at += static_cast<std::size_t>(size);
    }
  }

  void add_triangles(pugi::xml_node list, const std::vector<int>& corners) {
    if (corners.size() % 3 != 0) file_.refuse(list, "a list of triangles ends within a triangle");
    for (std::size_t i = 0; i < corners.size(); i += 3) {
      piece_.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
    }
  }

  void add_fan(const int* corners, std::size_t count) {
    for (std::size_t i = 2; i < count; ++i) piece_.triangles.push_back({corners[0], corners[i - 1], corners[i]});
  }

  void add_strip(const std::vector<int>& corners) {
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const std::size_t odd = i % 2;  // every second triangle is listed the other way round
      piece_.triangles.push_back({corners[i - 2 + odd], corners[i - 1 - odd], corners[i]});
    }
  }

  const DaeFile& file_;
  pugi::xml_node mesh_;
  std::size_t corner_size_ = 1;
  std::size_t vertex_offset_ = 0;
  MeshPiece piece_;
};

}  // namespace

MeshPiece read_dae_geometry(const DaeFile& file, pugi::xml_node geometry) {
  const pugi::xml_node mesh = geometry.child("mesh");
  if (!mesh) return {};  // splines and the like
  GeometryReader reader(file, mesh);
  for (pugi::xml_node primitive : mesh.children()) reader.read(primitive);
  MeshPiece piece = reader.finish();
  drop_unused_vertices(piece);  // those of lines
  return piece;
}

}  // namespace stickslip
