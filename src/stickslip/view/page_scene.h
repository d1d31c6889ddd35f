#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stickslip/model/model.h"

namespace stickslip {

// What the viewer's page is told of a model once: docs/formats/viewer.md.
struct PageScene {
  std::string json;
  std::vector<std::string> meshes;
};

struct PageSceneOptions {
  std::string mode;                     // live, watch or replay
  std::string method;                   // for the title
  std::optional<double> accuracy = {};  // as asked
  size_t samples = 0;                   // of a replay
};

PageScene page_scene(const Model& model, const PageSceneOptions& options);

// Names of the curves, in the order of their numbers.
std::vector<std::string> series_names(const Model& model);

}  // namespace stickslip
