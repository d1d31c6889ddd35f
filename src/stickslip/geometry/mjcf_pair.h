#pragma once

#include "stickslip/scene/scene.h"

// MuJoCo's contact parameters: how two geoms' become one, and what they are in newtons and metres.
namespace stickslip {

// The geom of higher priority decides. Between equals: condim and friction the larger, solimp and a positive solref
// the mean weighted by solmix, a negative solref the smaller numbers. Margins add, as in MuJoCo 4.
MjcfContact mix(const MjcfContact& a, const MjcfContact& b);

// `material` with the stiffness, dissipation, relaxation time and friction that its MJCF parameters mean between two
// bodies of reduced mass `mass`: 1/mass is the sum of their inverse masses. Without MJCF parameters: as it is.
//
// MuJoCo drives the overlap x by x'' = (1 - d) a0 - d (B x' + d K x), where a0 is the acceleration without contact and
//
//   d = solimp's curve at x      K = 1 / (dmax timeconst dampratio)^2    B = 2 / (dmax timeconst)
//                                or K = -solref[0] / dmax^2              B = -solref[1] / dmax
//
// That is no spring: loads count only by the part 1 - d, impacts fully. We keep what is seen and measured most, the
// state at rest under gravity: with the depth x_s where d^2 K x_s = (1 - d) g, and the damping there,
//
//   stiffness = mass g / x_s      dissipation = d B / g      relaxation time = dissipation x_s
//
// so that a lone body sinks in as far as in MuJoCo, and its small motions about rest are damped by the same force. Of
// MuJoCo's defaults this makes 0.37 mm and 9.8 s/m. g is kGravity, whatever the scene's: a material does not change on
// the moon. condim 1 is frictionless.
Material in_physical_units(const Material& material, double mass);

constexpr double kGravity = 9.81;  // [m/s^2]

}  // namespace stickslip
