#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "stickslip/base/error.h"
#include "stickslip/math/types.h"

// A small XML tree for the MJCF, URDF and SDF readers: every element and attribute knows its place in the file, and
// numbers are read strictly ("1.0abc", nan, inf and overflow are errors that name file, line and column).
namespace stickslip {

struct XmlAttribute {
  std::string name;
  std::string value;
  int line = 0;  // of the value's first character
  int column = 0;
};

struct XmlElement {
  XmlElement() = default;
  // Without recursion, since bodies may be nested thousands deep, and without memory, of which there may be none left.
  ~XmlElement();
  XmlElement(XmlElement&&) noexcept = default;
  XmlElement& operator=(XmlElement&&) noexcept = default;
  XmlElement(const XmlElement&) = delete;
  XmlElement& operator=(const XmlElement&) = delete;

  std::string name;
  std::shared_ptr<const std::string> file;  // as opened; shared by all elements of a file
  int line = 0;                             // of the '<'
  int column = 0;
  std::vector<XmlAttribute> attributes;
  std::vector<XmlElement> children;
  XmlElement* above = nullptr;  // set while it is destroyed
  XmlAttribute content;         // the text between the tags, without that of children; SDF keeps its values there

  bool is_in_memory() const { return !file || file->empty(); }  // the program's own text, not a file
  Location where() const;
  Location content_where() const;                    // of the element if there is no text
  Location where(std::string_view attribute) const;  // of the value; of the element if there is no such attribute

  bool has(std::string_view attribute) const { return find(attribute) != nullptr; }
  const XmlAttribute* find(std::string_view attribute) const;
  const XmlElement* child(std::string_view child_name) const;  // the first with that name, or null

  // Attributes; nothing (or the fallback) when absent, ModelError when malformed.
  std::optional<std::string> text(std::string_view attribute) const;
  std::string text(std::string_view attribute, std::string_view fallback) const;
  std::string required_text(std::string_view attribute) const;
  std::optional<double> number(std::string_view attribute) const;
  double number(std::string_view attribute, double fallback) const;
  double required_number(std::string_view attribute) const;
  std::optional<int> integer(std::string_view attribute) const;
  int integer(std::string_view attribute, int fallback) const;
  std::optional<std::vector<double>> numbers(std::string_view attribute, std::size_t at_least,
                                             std::size_t at_most) const;
  std::optional<Vector3d> vector3(std::string_view attribute) const;
  Vector3d vector3(std::string_view attribute, const Vector3d& fallback) const;
};

constexpr int kDeepestElement = 256;

// The document's root element. Throws ModelError for text that is not XML, and for document types, which could define
// words of their own; `file` is used in locations only. Elements nested deeper than kDeepestElement are an error, since
// readers recurse; those named "body", which nest as links do, may do so `deepest_body` levels more.
XmlElement parse_xml(const std::string& text, const std::string& file, int deepest_body = 0);
// The same error, for a tree that was put together from several files.
void check_nesting(const XmlElement& root, int deepest_body = 0);
XmlElement load_xml(const std::string& file);

// The whole file; throws ModelError "no-such-file", located at `from`, the place that names it. Refuses files larger
// than `largest` bytes.
std::string read_text_file(const std::string& file, const Location& from = {}, std::size_t largest = 256u << 20);

// One finite decimal number and nothing else but blanks around it. `what` begins the error's message.
double parse_number(std::string_view text, const Location& where, std::string_view what);
int parse_integer(std::string_view text, const Location& where, std::string_view what);
// Numbers parted by blanks.
std::vector<double> parse_numbers(std::string_view text, const Location& where, std::string_view what);
std::vector<std::string> split_words(std::string_view text);

}  // namespace stickslip
