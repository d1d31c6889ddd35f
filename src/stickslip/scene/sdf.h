#pragma once

#include <string>

#include "stickslip/scene/reader.h"

namespace stickslip {

// Reads an SDFormat world or the models of a file, versions 1.4 to 1.11; docs/formats/sdf.md. Throws ModelError.
Scene read_sdf(const std::string& file, const LoadOptions& options);
Scene read_sdf_string(const std::string& text, const std::string& folder, const LoadOptions& options);

}  // namespace stickslip
