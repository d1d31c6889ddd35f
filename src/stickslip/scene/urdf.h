#pragma once

#include <string>

#include "stickslip/scene/reader.h"

// URDF, as docs/formats/urdf.md describes.
namespace stickslip {

Scene read_urdf(const std::string& file, const LoadOptions& options = {});
Scene read_urdf_string(const std::string& text, const std::string& folder, const LoadOptions& options = {});

}  // namespace stickslip
