#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stickslip {

// A "&...;" of an XML text that stands for nothing: an entity that is none of XML's five, as document types are not
// read, or the number of a character that XML does not have, such as 0.
struct BadReference {
  std::size_t offset = 0;
  std::string_view text;
};

// The first one outside of comments, instructions and CDATA. A lone "&" is taken for itself, as by most readers of
// robots.
std::optional<BadReference> find_bad_reference(const std::string& text);

}  // namespace stickslip
