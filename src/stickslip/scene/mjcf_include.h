#pragma once

#include <string>

#include "stickslip/scene/xml.h"

namespace stickslip::mjcf {

// Replaces every <include file="..."/> below `root` by the elements of that file, which keep their own locations. Names
// are relative to `folder`, the main file's, or else to the including file's. A file that includes itself, directly or
// not, is an error.
void expand_includes(XmlElement& root, const std::string& folder);

}  // namespace stickslip::mjcf
