#include "stickslip/scene/robot_mass.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/shapes/mass.h"
#include "stickslip/shapes/mesh_closed.h"

namespace stickslip {
namespace {

MassProperties mass_of(const Geometry& geometry, double density) {
  Shape shape = geometry.shape;
  if (std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape)) return {};
  // What is seen is often no closed surface; its hull always is.
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) shape = ConvexMesh{mesh->mesh};
  try {
    return expressed_in(geometry.pose, mass_properties(shape, density));
  } catch (const ModelError&) {
    return {};  // a flat mesh
  }
}

bool is_open_mesh(const Shape& shape) {
  if (const auto* mesh = std::get_if<ConvexMesh>(&shape)) return !is_closed(*mesh->mesh);
  const auto* mesh = std::get_if<TriangleMesh>(&shape);
  return mesh && !is_closed(*mesh->mesh);
}

}  // namespace

MassProperties inferred_mass(const Body& body, double density, RobotContext& context) {
  const auto collides = [](const Geometry& g) { return g.collides; };
  const bool by_collision = std::any_of(body.geometry.begin(), body.geometry.end(), collides);
  MassProperties sum;
  for (const Geometry& geometry : body.geometry) {
    if (geometry.collides != by_collision) continue;
    sum = sum + mass_of(geometry, density);
    warn_of_open_mesh(geometry, body, context);
  }
  return sum;
}

void warn_of_open_mesh(const Geometry& geometry, const Body& body, RobotContext& context) {
  if (!is_open_mesh(geometry.shape)) return;
  context.warn("open-mesh", geometry.where,
               fmt::format("a mesh that gives link '{}' its mass is not closed, so its volume is not certain; taken is "
                           "that of its convex hull",
                           body.name));
}

}  // namespace stickslip
