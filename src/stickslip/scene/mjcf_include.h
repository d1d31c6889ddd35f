#pragma once

#include <string>
#include <vector>

#include "stickslip/scene/xml.h"

namespace stickslip::mjcf {

constexpr int kDeepestBody = 10'000;  // bodies nest as links do, and a chain may have thousands

// Replaces every <include file="..."/> below `root` by the elements of that file, which keep their own locations. Names
// are relative to `folder`, the main file's, or else to the including file's. A file that includes itself, directly or
// not, is an error, and so is one outside the model's folder and those allowed.
void expand_includes(XmlElement& root, const std::string& folder, const std::vector<std::string>& allowed_folders = {});

}  // namespace stickslip::mjcf
