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
PairMaterial combine(const Material& a, const Material& b);

// A material that describes the pair itself, not a side.
PairMaterial whole_pair(const Material& pair);

// Materials from any file, between bodies of reduced mass `mass` (mjcf_pair.h), which only those from MJCF need. Two of
// these follow MuJoCo's rules; one of these meets one of ours as the side that it would be against a rigid one.
PairMaterial pair_material(const Material& a, const Material& b, double mass);

}  // namespace stickslip
