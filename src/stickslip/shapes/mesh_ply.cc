#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/number_text.h"

// PLY: a header of lines names elements and their properties, each a number or a list of numbers; then come the
// elements, as text or as bytes of either order. Vertices have x, y and z, faces a list of vertices; the rest is passed
// over.
namespace stickslip {
namespace {

enum class Encoding { kText, kLittleEndian, kBigEndian };

struct NumberType {
  std::size_t size = 0;  // bytes
  bool is_real = false;
  bool is_signed = false;
};

struct Property {
  std::string name;
  NumberType type;
  std::optional<NumberType> count;  // lists: of the number that says how long it is
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;

  std::size_t least_bytes() const {  // of one; a list may be empty
    std::size_t sum = 0;
    for (const Property& p : properties) sum += p.count ? p.count->size : p.type.size;
    return sum;
  }
};

struct Header {
  Encoding encoding = Encoding::kText;
  std::vector<Element> elements;
  std::size_t size = 0;  // bytes
  int lines = 0;
};

[[noreturn]] void refuse(const std::string& file, int line, const std::string& message, std::string_view text = {}) {
  throw ModelError("bad-mesh", {file, line, 0}, message, std::string(text));
}

NumberType number_type(std::string_view word, const std::string& file, int line) {
  if (word == "char" || word == "int8") return {1, false, true};
  if (word == "uchar" || word == "uint8") return {1, false, false};
  if (word == "short" || word == "int16") return {2, false, true};
  if (word == "ushort" || word == "uint16") return {2, false, false};
  if (word == "int" || word == "int32") return {4, false, true};
  if (word == "uint" || word == "uint32") return {4, false, false};
  if (word == "float" || word == "float32") return {4, true, true};
  if (word == "double" || word == "float64") return {8, true, true};
  refuse(file, line, "not a type of PLY", word);
}

Encoding read_encoding(std::string_view word, const std::string& file, int line) {
  if (word == "ascii") return Encoding::kText;
  if (word == "binary_little_endian") return Encoding::kLittleEndian;
  if (word == "binary_big_endian") return Encoding::kBigEndian;
  refuse(file, line, "not a format of PLY", word);
}

void read_header_line(std::string_view text, const std::string& file, Header& header) {
  NumberText words(text);
  const std::string_view key = words.take_word();
  if (key == "format") {
    header.encoding = read_encoding(words.take_word(), file, header.lines);
  } else if (key == "element") {
    Element element;
    element.name = words.take_word();
    long long count = 0;
    if (!words.take(count) || count < 0) refuse(file, header.lines, "the count of an element is no whole number", text);
    element.count = static_cast<std::uint64_t>(count);
    header.elements.push_back(std::move(element));
  } else if (key == "property") {
    if (header.elements.empty()) refuse(file, header.lines, "a property before any element", text);
    Property property;
    std::string_view word = words.take_word();
    if (word == "list") {
      property.count = number_type(words.take_word(), file, header.lines);
      if (property.count->is_real) refuse(file, header.lines, "the length of a list is no whole number", text);
      word = words.take_word();
    }
    property.type = number_type(word, file, header.lines);
    property.name = words.take_word();
    header.elements.back().properties.push_back(std::move(property));
  } else if (key != "comment" && key != "obj_info" && key != "ply" && !key.empty()) {
    refuse(file, header.lines, "not a line of a PLY header", key);
  }
}

Header read_header(std::string_view bytes, const std::string& file) {
  if (!bytes.starts_with("ply")) refuse(file, 1, "a PLY file begins with 'ply'");
  Header header;
  while (true) {
    const std::size_t end = bytes.find('\n', header.size);
    if (end == std::string_view::npos) refuse(file, header.lines, "the header does not end");
    std::string_view line = bytes.substr(header.size, end - header.size);
    if (line.ends_with('\r')) line.remove_suffix(1);
    header.size = end + 1;
    ++header.lines;
    if (line == "end_header") return header;
    read_header_line(line, file, header);
  }
}

// Numbers one after another, in whichever encoding.
class Body {
 public:
  Body(std::string_view bytes, const Header& header, const std::string& file)
      : bytes_(bytes.substr(header.size)),
        words_(bytes_),
        encoding_(header.encoding),
        first_line_(header.lines + 1),
        file_(file) {}

  // At the line of the number taken last; bytes have no lines.
  [[noreturn]] void refuse_here(const std::string& message) const {
    const std::string_view done = bytes_.substr(0, bytes_.size() - words_.rest().size());
    const auto line = first_line_ + std::count(done.begin(), done.end(), '\n');
    refuse(file_, encoding_ == Encoding::kText ? static_cast<int>(line) : 0, message);
  }

  void expect_room(const Element& element) const {
    // As text a number takes two bytes at least, its digit and a blank; the last needs no blank.
    const std::size_t least = encoding_ == Encoding::kText ? 2 * element.properties.size() : element.least_bytes();
    if (least == 0 && element.count > 0) refuse(file_, 0, fmt::format("element '{}' has no properties", element.name));
    if (least > 0 && element.count > (bytes_.size() - at_ + 1) / least) {
      refuse(file_, 0, fmt::format("the header promises more '{}' than the file has", element.name));
    }
  }

  double take(const NumberType& type) {
    if (encoding_ != Encoding::kText) return take_binary(type);
    double value = 0;
    if (!words_.take(value)) refuse_here("the file ends early, or has a word where a number should be");
    return value;
  }

 private:
  double take_binary(const NumberType& type) {
    if (bytes_.size() - at_ < type.size) refuse(file_, 0, "the file ends early");
    std::array<char, 8> raw{};
    std::memcpy(raw.data(), bytes_.data() + at_, type.size);
    at_ += type.size;
    const bool swap = (encoding_ == Encoding::kLittleEndian) != (std::endian::native == std::endian::little);
    if (swap) std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(type.size));
    if (type.is_real) return type.size == 4 ? as<float>(raw) : as<double>(raw);
    if (type.size == 1) return type.is_signed ? as<std::int8_t>(raw) : as<std::uint8_t>(raw);
    if (type.size == 2) return type.is_signed ? as<std::int16_t>(raw) : as<std::uint16_t>(raw);
    return type.is_signed ? as<std::int32_t>(raw) : as<std::uint32_t>(raw);
  }

  template <typename Number>
  static double as(const std::array<char, 8>& raw) {
    Number number;
    std::memcpy(&number, raw.data(), sizeof(Number));
    return static_cast<double>(number);
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  NumberText words_;
  Encoding encoding_;
  int first_line_;
  const std::string& file_;
};

void read_vertices(const Element& element, Body& body, const std::string& file, Mesh& mesh) {
  std::array<int, 3> found{-1, -1, -1};
  for (std::size_t i = 0; i < element.properties.size(); ++i) {
    const std::string& name = element.properties[i].name;
    if (name.size() == 1 && name[0] >= 'x' && name[0] <= 'z') found[static_cast<std::size_t>(name[0] - 'x')] = 1;
  }
  if (found != std::array<int, 3>{1, 1, 1}) refuse(file, 0, "the vertices have no x, y and z");
  mesh.vertices.reserve(element.count);
  for (std::uint64_t i = 0; i < element.count; ++i) {
    Vector3d point = Vector3d::Zero();
    for (const Property& property : element.properties) {
      const double length = property.count ? body.take(*property.count) : 1;
      for (double k = 0; k < length; ++k) {
        const double value = body.take(property.type);
        if (property.name == "x") point.x() = value;
        if (property.name == "y") point.y() = value;
        if (property.name == "z") point.z() = value;
      }
    }
    if (!point.allFinite()) body.refuse_here(fmt::format("coordinates of vertex {} are not finite", i));
    mesh.vertices.push_back(point);
  }
}

// Polygons are cut into fans.
void add_polygon(const std::vector<double>& corners, std::size_t vertices, const Body& body, Mesh& mesh) {
  if (corners.size() < 3) body.refuse_here("a face has less than three corners");
  for (double corner : corners) {
    if (corner >= 0 && corner < static_cast<double>(vertices) &&
        corner == static_cast<double>(static_cast<int>(corner))) {
      continue;
    }
    body.refuse_here(fmt::format("a face refers to vertex {} of {}", corner, vertices));
  }
  for (std::size_t k = 2; k < corners.size(); ++k) {
    mesh.triangles.push_back(
        {static_cast<int>(corners[0]), static_cast<int>(corners[k - 1]), static_cast<int>(corners[k])});
  }
}

void read_faces(const Element& element, std::size_t vertices, Body& body, Mesh& mesh) {
  mesh.triangles.reserve(element.count);
  std::vector<double> corners;
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (const Property& property : element.properties) {
      const bool is_face = property.count && (property.name == "vertex_indices" || property.name == "vertex_index");
      const double length = property.count ? body.take(*property.count) : 1;
      corners.clear();
      for (double k = 0; k < length; ++k) corners.push_back(body.take(property.type));
      if (is_face) add_polygon(corners, vertices, body, mesh);
    }
  }
}

void skip(const Element& element, Body& body) {
  for (std::uint64_t i = 0; i < element.count; ++i) {
    for (const Property& property : element.properties) {
      const double length = property.count ? body.take(*property.count) : 1;
      for (double k = 0; k < length; ++k) body.take(property.type);
    }
  }
}

}  // namespace

Mesh parse_ply(std::string_view bytes, const std::string& file) {
  const Header header = read_header(bytes, file);
  Mesh mesh;
  mesh.file = file;
  Body body(bytes, header, file);
  for (const Element& element : header.elements) {
    if (element.count > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) {
      refuse(file, 0, fmt::format("too many '{}'", element.name));
    }
    body.expect_room(element);
    if (element.name == "vertex") {
      read_vertices(element, body, file, mesh);
    } else if (element.name == "face") {
      read_faces(element, mesh.vertices.size(), body, mesh);
    } else {
      skip(element, body);
    }
  }
  if (mesh.triangles.empty()) refuse(file, 0, "the file has no faces: a cloud of points is no surface");
  return mesh;
}

}  // namespace stickslip
