#pragma once

#include <string>

#include "stickslip/scene/xml.h"

// For readers that write elements a file does not have.
namespace stickslip {

// An element without anything in it, at the place of another.
inline XmlElement empty_like(const XmlElement& element, const std::string& name) {
  XmlElement out;
  out.name = name;
  out.file = element.file;
  out.line = element.line;
  out.column = element.column;
  return out;
}

inline XmlElement copy_without_children(const XmlElement& element) {
  XmlElement out = empty_like(element, element.name);
  out.attributes = element.attributes;
  out.content = element.content;
  return out;
}

}  // namespace stickslip
