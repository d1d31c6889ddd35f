#include "stickslip/scene/xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <pugixml.hpp>
#include <tuple>
#include <unordered_set>

#include "stickslip/scene/xml_references.h"
#include "stickslip/scene/xml_walk.h"
#include "stickslip/shapes/file_bytes.h"

namespace stickslip {
namespace {

constexpr std::ptrdiff_t kMostTags = 2'500'000;  // more than a model may have elements, after includes
constexpr std::ptrdiff_t kMostEquals = 4'000'000;
constexpr std::size_t kLookedAt = 4096;  // bytes of a file, to see whether it is text

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Turns byte offsets of one text into lines and columns.
class LineTable {
 public:
  explicit LineTable(const std::string& text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }
  std::pair<int, int> at(std::size_t offset) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const std::size_t line = static_cast<std::size_t>(after - starts_.begin());
    return {static_cast<int>(line), static_cast<int>(offset - starts_[line - 1]) + 1};
  }

 private:
  std::vector<std::size_t> starts_;
};

struct Source {
  const std::string& text;
  LineTable lines;
  std::shared_ptr<const std::string> file;
};

// Offsets of the attributes' values, in order: pugixml keeps the offset of elements only. `i` starts at the element's
// name.
std::vector<std::size_t> attribute_offsets(const std::string& text, std::size_t i) {
  std::vector<std::size_t> out;
  while (i < text.size() && !is_blank(text[i]) && text[i] != '>' && text[i] != '/') ++i;
  while (i < text.size() && text[i] != '>') {
    if (text[i] == '"' || text[i] == '\'') {
      out.push_back(i + 1);
      i = text.find(text[i], i + 1);
      if (i == std::string::npos) break;
    }
    ++i;
  }
  return out;
}

void read_attributes(const Source& source, pugi::xml_node node, std::size_t offset, XmlElement& out) {
  const std::vector<std::size_t> offsets = attribute_offsets(source.text, offset);
  std::unordered_set<std::string_view> names;  // which the document keeps
  for (pugi::xml_attribute attribute : node.attributes()) {
    const std::size_t k = out.attributes.size();
    const auto [line, column] = k < offsets.size() ? source.lines.at(offsets[k]) : std::pair(out.line, out.column);
    out.attributes.push_back({attribute.name(), attribute.value(), line, column});
    if (!names.insert(attribute.name()).second) {
      throw ModelError("repeated-attribute", {*source.file, line, column},
                       fmt::format("'{}' is given twice in <{}>", attribute.name(), out.name), attribute.value(),
                       "keep one of them");
    }
  }
}

// Text in several pieces, as comments part it, is joined.
void read_content(const Source& source, pugi::xml_node text, XmlElement& out) {
  if (out.content.value.empty()) {
    const std::size_t offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(text.offset_debug(), 0));
    std::tie(out.content.line, out.content.column) = source.lines.at(offset);
  } else {
    out.content.value += ' ';
  }
  out.content.value += text.value();
}

// How many levels may still follow.
struct Room {
  int elements = kDeepestElement;
  int bodies = 0;

  Room within(const XmlElement& element) const {
    const bool is_body = element.name == "body" && bodies > 0;
    const Room inner = is_body ? Room{elements, bodies - 1} : Room{elements - 1, bodies};
    if (inner.elements < 0) {
      throw ModelError("too-deep", element.where(), "elements are nested too deeply for any model", element.name,
                       "look for an element that is never closed");
    }
    return inner;
  }
};

// An element to be filled in, whose address stays: its parent has room for all its children.
struct Place {
  pugi::xml_node node;
  XmlElement* element;
  Room around;
};

void convert(const Source& source, const Place& place, std::vector<Place>& pending) {
  XmlElement& out = *place.element;
  out.name = place.node.name();
  out.file = source.file;
  const std::size_t offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(place.node.offset_debug(), 1));
  std::tie(out.line, out.column) = source.lines.at(offset - 1);
  const Room inside = place.around.within(out);
  read_attributes(source, place.node, offset, out);
  const std::size_t first = pending.size();
  for (pugi::xml_node child : place.node.children()) {
    if (child.type() == pugi::node_element) pending.push_back({child, nullptr, inside});
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) read_content(source, child, out);
  }
  out.children.resize(pending.size() - first);
  for (std::size_t i = 0; i < out.children.size(); ++i) pending[first + i].element = &out.children[i];
  std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(first), pending.end());
}

XmlElement convert_tree(const Source& source, pugi::xml_node root, const Room& room) {
  XmlElement out;
  std::vector<Place> pending{{root, &out, room}};
  while (!pending.empty()) {
    const Place next = pending.back();
    pending.pop_back();
    convert(source, next, pending);
  }
  return out;
}

[[noreturn]] void refuse(const Source& source, std::size_t offset, const std::string& code, const std::string& message,
                         const std::string& fix, std::string_view cited = "") {
  const auto [line, column] = source.lines.at(offset);
  throw ModelError(code, {*source.file, line, column}, message, std::string(cited), fix);
}

// An element of four letters takes 260 bytes, an attribute of five 110: the signs that begin them are counted first.
void check_size(const Source& source) {
  const auto refuse_above = [&](char sign, std::ptrdiff_t most, const char* what) {
    if (std::count(source.text.begin(), source.text.end(), sign) <= most) return;
    throw ModelError("too-large", {*source.file, 1, 1}, fmt::format("the text has more than {} {}", most, what), "",
                     "split the model by includes, and keep large tables and meshes in files of their own");
  };
  refuse_above('<', kMostTags, "tags");
  refuse_above('=', kMostEquals, "attributes");
}

// pugixml leaves references that it does not know as they are, and ends a text at the number zero.
void check_references(const Source& source) {
  const auto bad = find_bad_reference(source.text);
  if (!bad) return;
  const bool is_number = bad->text.starts_with("&#");
  refuse(source, bad->offset, "bad-reference",
         is_number ? "this is not the number of a character that XML has"
                   : "XML has no such entity; those of document types are not read",
         "write the character itself, or &amp; &lt; &gt; &quot; &apos; for & < > \" '", bad->text);
}

// Where the fault begins: of what is never closed pugixml names the end of the file.
std::size_t fault_offset(const std::string& text, const pugi::xml_parse_result& result) {
  const auto at = static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0));
  const char* opening = result.status == pugi::status_bad_comment ? "<!--"
                        : result.status == pugi::status_bad_cdata ? "<![CDATA["
                                                                  : nullptr;
  const std::size_t begin = opening ? text.rfind(opening, at) : std::string::npos;
  return begin == std::string::npos ? at : begin;
}

// The one element of the document. Words and elements beside it would else be passed over.
pugi::xml_node only_element(const Source& source, const pugi::xml_document& document) {
  pugi::xml_node root;
  for (pugi::xml_node node : document.children()) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0));
    if (node.type() == pugi::node_doctype) {
      // The offset is that of the words behind "<!DOCTYPE".
      const std::size_t begin = source.text.rfind("<!", offset);
      refuse(source, begin == std::string::npos ? offset : begin, "doctype", "document types are not read",
             "remove <!DOCTYPE ...>, and write out the entities that it defines");
    }
    if (node.type() == pugi::node_element && !root) {
      root = node;
    } else if (node.type() == pugi::node_element || node.type() == pugi::node_pcdata) {
      const std::size_t begin = std::min(source.text.find_first_not_of(" \t\r\n", offset), source.text.size());
      refuse(source, begin, "bad-xml",
             root ? "not well-formed XML: something follows the root element"
                  : "not XML: it begins with words, not with an element",
             "an XML file is one element: what follows its closing tag must go");
    }
  }
  if (!root) refuse(source, 0, "bad-xml", "not XML: there is no element in it", "check that this is the right file");
  return root;
}

}  // namespace

XmlElement::~XmlElement() {
  XmlElement* at = this;
  while (true) {
    if (!at->children.empty()) {
      XmlElement& last = at->children.back();
      last.above = at;
      at = &last;
    } else if (at == this) {
      return;
    } else {
      at = at->above;
      at->children.pop_back();  // which has no children any more
    }
  }
}

XmlElement parse_xml(const std::string& text, const std::string& file, int deepest_body) {
  const Source source{text, LineTable(text), std::make_shared<const std::string>(file)};
  check_size(source);
  pugi::xml_document document;
  if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {  // which would end the text
    refuse(source, zero, "bad-xml", "not well-formed XML: there is a byte of zero here", "remove it");
  }
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_fragment | pugi::parse_doctype, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (!result) {
    refuse(source, fault_offset(text, result), "bad-xml", fmt::format("not well-formed XML: {}", result.description()),
           "an element may be unclosed or a quote missing just before this place");
  }
  const pugi::xml_node root = only_element(source, document);
  check_references(source);
  return convert_tree(source, root, {.bodies = deepest_body});
}

void check_nesting(const XmlElement& root, int deepest_body) {
  walk(root, Room{.bodies = deepest_body},
       [](const XmlElement& element, const Room& around) { return std::optional(around.within(element)); });
}

XmlElement load_xml(const std::string& file) { return parse_xml(read_text_file(file), file); }

std::string read_text_file(const std::string& file, const Location& from, std::size_t largest) {
  std::string text = read_file_bytes(file, from, largest);
  // Programs that write a text with the zero that ends it in their memory mean what stands before, which is plain in
  // XML.
  if (text.starts_with('<')) text.resize(text.find_last_not_of('\0') + 1);
  const std::string_view head = std::string_view(text).substr(0, kLookedAt);
  const auto is_control = [](unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f'; };
  if (std::any_of(head.begin(), head.end(), is_control)) {
    throw ModelError("not-text", {file, 0, 0}, "this is not a text file", "",
                     "name a scene (.yaml), an MJCF model (.xml) or a robot (.urdf), in UTF-8");
  }
  return text;
}

}  // namespace stickslip
