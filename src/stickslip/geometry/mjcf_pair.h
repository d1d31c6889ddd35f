#pragma once

#include "stickslip/scene/mjcf_rest.h"
#include "stickslip/scene/scene.h"

// MuJoCo's contact parameters: how two geoms' become one, and what they are in newtons and metres.
namespace stickslip {

// The geom of higher priority decides. Between equals: condim and friction the larger, solimp and a positive solref
// the mean weighted by solmix, a negative solref the smaller numbers. Margins add, as in MuJoCo 4.
MjcfContact mix(const MjcfContact& a, const MjcfContact& b);

// `material` with the stiffness, dissipation, relaxation time and friction that its MJCF parameters mean between two
// bodies of reduced mass `mass`: 1/mass is the sum of their inverse masses. Without MJCF parameters: as it is.
//
// MuJoCo's law is no spring: loads count only by the part 1 - d, impacts fully. We keep what is seen and measured most,
// the state at rest under gravity (MjcfRest): with its depth x_s, and the damping there,
//
//   stiffness = mass g / x_s      dissipation = d B / g      relaxation time = dissipation x_s
//
// so that a lone body sinks in as far as in MuJoCo, and its small motions about rest are damped by the same force. Of
// MuJoCo's defaults this makes 0.37 mm and 9.8 s/m. g is kGravity, whatever the scene's: a material does not change on
// the moon. condim 1 is frictionless.
Material in_physical_units(const Material& material, double mass);

}  // namespace stickslip
