#pragma once

#include <string>

#include "stickslip/scene/reader.h"

namespace stickslip {

// MuJoCo's XML format. What has no counterpart here becomes a coded Warning in the scene; what MuJoCo would refuse too
// is a ModelError with file, line and column.
Scene read_mjcf(const std::string& file, const LoadOptions& options = {});

// Files named in the text are looked up relative to `folder`.
Scene read_mjcf_string(const std::string& text, const std::string& folder = ".", const LoadOptions& options = {});

}  // namespace stickslip
