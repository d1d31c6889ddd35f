#pragma once

#include "stickslip/geometry/contact_set.h"
#include "stickslip/scene/scene.h"

// How two surfaces' materials become the parameters of one contact.
namespace stickslip {

// Two springs in series:
//
//   k = 1 / (1/k_a + 1/k_b)      d = k (d_a/k_a + d_b/k_b)      the relaxation time as d
//   mu = 2 mu_a mu_b / (mu_a + mu_b)      stiction tolerance: the smaller
//
// d and the relaxation time are the sides' values weighted by their share of the overlap; a side without a relaxation
// time counts as 0. An infinite stiffness is a rigid side, which takes no share. Two rigid sides stay infinitely stiff,
// share equally and average their dissipation: only a method can say how stiff "rigid" may be at its step.
//
// Where one of the surfaces is curved, `radius` R = 1/(1/R_a + 1/R_b) is finite, and if a side has a Young's modulus
// the pair follows Hertz:
//
//   K = 4/3 E sqrt(R),   1/E = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b
//
// A side without a modulus is rigid there, and the shares are those of 1/E.
PairMaterial combine(const Material& a, const Material& b, double radius = kInfinity);

// A material that describes the pair itself, not a side.
PairMaterial whole_pair(const Material& pair, double radius = kInfinity);

// Materials from any file, between bodies of reduced mass `mass` (mjcf_pair.h), which only those from MJCF need. Two of
// these follow MuJoCo's rules; one of these meets one of ours as the side that it would be against a rigid one.
PairMaterial pair_material(const Material& a, const Material& b, double mass, double radius = kInfinity);

}  // namespace stickslip
