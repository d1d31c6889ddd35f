#pragma once

#include <string>

#include "stickslip/convert/converted.h"
#include "stickslip/scene/scene.h"

namespace stickslip {

// A scene as a scene file (docs/formats/scene_yaml.md), includes written out. Meshes and large height fields become
// files in `assets_folder`, which is relative to the text's. Throws ModelError for a scene that does not compile.
Converted write_yaml(const Scene& scene, const std::string& assets_folder);

}  // namespace stickslip
