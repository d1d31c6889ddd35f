#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "stickslip/scene/scene.h"
#include "stickslip/simulate/simulator_options.h"

namespace stickslip {

// A whole scene as JSON text, meshes included, and back. Numbers read back to the same bits. Reading throws
// std::invalid_argument with a sentence that names the element.
std::string scene_to_json(const Scene& scene);
Scene scene_from_json(const std::string& text);

std::string options_to_json(const SimulatorOptions& options);
SimulatorOptions options_from_json(const std::string& text);

}  // namespace stickslip
