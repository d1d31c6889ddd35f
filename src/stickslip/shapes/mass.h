#pragma once

#include "stickslip/math/mass_properties.h"
#include "stickslip/shapes/shape.h"

namespace stickslip {

// [m^3]; infinite for HalfSpace. A ConvexMesh is its hull, a TriangleMesh what its closed surface encloses.
double volume(const Shape& shape);

// Of a body of uniform density [kg/m^3], in the shape's frame. A HalfSpace has none: it belongs to the world.
MassProperties mass_properties(const Shape& shape, double density);

// Of a thin skin with uniform mass per area [kg/m^2]. The area of an ellipsoid is Thomsen's formula.
MassProperties shell_mass_properties(const Shape& shape, double surface_density);

// The same matter with its mass scaled to `mass`; keeps centre and shape of the inertia.
MassProperties with_mass(const MassProperties& properties, double mass);

}  // namespace stickslip
