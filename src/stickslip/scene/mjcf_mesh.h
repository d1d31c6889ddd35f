#pragma once

#include "stickslip/math/mass_properties.h"
#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/mjcf_defaults.h"
#include "stickslip/shapes/shape.h"

namespace stickslip::mjcf {

// Of an OBJ file: its objects and groups that have faces.
int object_count(const Mesh& mesh);

// The triangles of an <asset><mesh>: from its file or its vertex and face attributes, expressed in the frame given
// by refpos and refquat, then scaled along that frame's axes. Vertices are rounded to 32-bit floats as they are read,
// as in MuJoCo: the same file must have the same mass here and there.
Mesh load_mesh(const MjcfElement& element, const Compiler& compiler);

// For a density of 1 kg/m^3 (shells: 1 kg/m^2), with MuJoCo's tolerance on the products of inertia.
MassProperties unit_mesh_mass(const MjcfElement& element, const Mesh& mesh);

// An asset's name: its own, or its file's without folder and extension.
std::string asset_name(const XmlElement& element);

}  // namespace stickslip::mjcf
