#pragma once

#include "stickslip/scene/yaml_context.h"
#include "stickslip/scene/yaml_decomposition.h"
#include "stickslip/scene/yaml_map.h"

namespace stickslip {

// A geometry as written, which has the mass, and the convex parts it collides as; none: it collides as it is.
struct YamlGeometry {
  Geometry whole;
  MeshParts parts;
};

YamlGeometry read_geometry(const YamlValue& value, const std::string& body, const YamlContext& context);

// What the body gets: the geometry, or its parts, named after it with the suffixes _0, _1, ..., and the whole for the
// eye.
std::vector<Geometry> split(const YamlGeometry& geometry);

}  // namespace stickslip
