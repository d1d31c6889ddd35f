#include "stickslip/scene/robot_mass.h"

#include <algorithm>

#include "stickslip/shapes/mass.h"

namespace stickslip {
namespace {

constexpr double kWater = 1000;  // [kg/m^3], as MuJoCo and SDF assume

MassProperties mass_of(const Geometry& geometry) {
  Shape shape = geometry.shape;
  if (std::holds_alternative<HalfSpace>(shape) || std::holds_alternative<HeightField>(shape)) return {};
  // What is seen is often no closed surface; its hull always is.
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) shape = ConvexMesh{mesh->mesh};
  try {
    return expressed_in(geometry.pose, mass_properties(shape, kWater));
  } catch (const ModelError&) {
    return {};  // a flat mesh
  }
}

}  // namespace

MassProperties inferred_mass(const Body& body) {
  const auto collides = [](const Geometry& g) { return g.collides; };
  const bool by_collision = std::any_of(body.geometry.begin(), body.geometry.end(), collides);
  MassProperties sum;
  for (const Geometry& geometry : body.geometry) {
    if (geometry.collides == by_collision) sum = sum + mass_of(geometry);
  }
  return sum;
}

}  // namespace stickslip
