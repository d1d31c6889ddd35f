#pragma once

#include <string>

#include "stickslip/convert/converted.h"
#include "stickslip/scene/scene.h"

namespace stickslip {

// A scene as a MuJoCo model (docs/formats/convert.md says what carries over). Meshes become OBJ files in
// `assets_folder`, which is relative to the text's. Throws ModelError for a scene that does not compile.
Converted write_mjcf(const Scene& scene, const std::string& assets_folder);

}  // namespace stickslip
