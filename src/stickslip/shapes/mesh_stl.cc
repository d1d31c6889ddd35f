#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>

#include "stickslip/shapes/file_bytes.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/number_text.h"

namespace stickslip {
namespace {

constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kFacetBytes = 50;  // normal and three corners in float32, and two bytes of attributes
constexpr std::size_t kCornerOffset = 12;

struct HashPoint {
  std::size_t operator()(const std::array<std::uint64_t, 3>& bits) const {
    std::size_t hash = 0;
    for (std::uint64_t part : bits) hash = (hash ^ part) * 0x9E3779B97F4A7C15ull + (hash >> 29);
    return hash;
  }
};

// STL repeats a corner for every triangle around it; equal corners become one vertex.
class Welder {
 public:
  explicit Welder(Mesh& mesh) : mesh_(mesh) {}

  int index_of(Vector3d point) {
    point += Vector3d::Zero();  // -0 and 0 are the same place
    const std::array<std::uint64_t, 3> bits{std::bit_cast<std::uint64_t>(point.x()),
                                            std::bit_cast<std::uint64_t>(point.y()),
                                            std::bit_cast<std::uint64_t>(point.z())};
    const auto [entry, is_new] = indices_.try_emplace(bits, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(point);
    return entry->second;
  }

 private:
  Mesh& mesh_;
  std::unordered_map<std::array<std::uint64_t, 3>, int, HashPoint> indices_;
};

Mesh parse_binary(std::string_view bytes, std::size_t count, const std::string& file) {
  Mesh mesh;
  mesh.file = file;
  mesh.triangles.reserve(count);
  Welder welder(mesh);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t facet = kHeaderBytes + 4 + i * kFacetBytes;
    std::array<int, 3> triangle;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = facet + kCornerOffset + corner * 12;
      triangle[corner] = welder.index_of(
          {read_value<float>(bytes, at), read_value<float>(bytes, at + 4), read_value<float>(bytes, at + 8)});
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

// Takes the next word off the text, counting lines.
std::string_view next_word(std::string_view& text, int& line) {
  std::size_t i = 0;
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t' || text[i] == '\r' || text[i] == '\n')) {
    if (text[i++] == '\n') ++line;
  }
  std::size_t end = i;
  while (end < text.size() && text[end] != ' ' && text[end] != '\t' && text[end] != '\r' && text[end] != '\n') ++end;
  const std::string_view word = text.substr(i, end - i);
  text.remove_prefix(end);
  return word;
}

Vector3d read_corner(std::string_view& text, int& line, const std::string& file) {
  Vector3d point;
  for (int k = 0; k < 3; ++k) {
    const std::string_view word = next_word(text, line);
    if (!is_coordinate(word, point[k])) {
      throw ModelError("bad-mesh", {file, line, 0}, "coordinate of a vertex is not a finite number", std::string(word));
    }
  }
  return point;
}

Mesh parse_text(std::string_view text, const std::string& file) {
  Mesh mesh;
  mesh.file = file;
  Welder welder(mesh);
  int line = 1;
  std::array<int, 3> triangle{};
  std::size_t corner = 0;
  for (std::string_view word = next_word(text, line); !word.empty(); word = next_word(text, line)) {
    if (word == "vertex") {
      if (corner == 3) throw ModelError("bad-mesh", {file, line, 0}, "a facet has more than three vertices");
      triangle[corner++] = welder.index_of(read_corner(text, line, file));
    } else if (word == "endfacet") {
      if (corner != 3) throw ModelError("bad-mesh", {file, line, 0}, "a facet has fewer than three vertices");
      mesh.triangles.push_back(triangle);
      corner = 0;
    }
  }
  if (corner != 0) throw ModelError("bad-mesh", {file, line, 0}, "the file ends inside a facet");
  return mesh;
}

}  // namespace

Mesh parse_stl(std::string_view bytes, const std::string& file) {
  if (bytes.size() >= kHeaderBytes + 4) {
    const std::size_t count = read_value<std::uint32_t>(bytes, kHeaderBytes);
    const std::size_t expected = kHeaderBytes + 4 + count * kFacetBytes;
    // Many binary files begin with "solid" as text files do; the size tells them apart.
    if (bytes.size() == expected || (!bytes.starts_with("solid") && bytes.size() >= expected)) {
      return parse_binary(bytes, count, file);
    }
    if (!bytes.starts_with("solid")) {
      throw ModelError("bad-mesh", {file},
                       fmt::format("the header promises {} triangles ({} bytes), but the file has {} bytes", count,
                                   expected, bytes.size()));
    }
  }
  if (!bytes.starts_with("solid")) throw ModelError("bad-mesh", {file}, "neither a binary nor a text STL file");
  return parse_text(bytes, file);
}

}  // namespace stickslip
