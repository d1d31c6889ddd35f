#pragma once

#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/mjcf_defaults.h"
#include "stickslip/shapes/mesh_mass.h"
#include "stickslip/shapes/shape.h"

namespace stickslip::mjcf {

// The triangles of an <asset><mesh>: from its file or its vertex and face attributes, expressed in the frame given
// by refpos and refquat, then scaled along that frame's axes.
Mesh load_mesh(const MjcfElement& element, const Compiler& compiler);
MeshInertia mesh_inertia_mode(const MjcfElement& element);

// An asset's name: its own, or its file's without folder and extension.
std::string asset_name(const XmlElement& element);

}  // namespace stickslip::mjcf
