#pragma once

#include <vector>

#include "stickslip/model/model.h"

namespace stickslip {

// How much a body yields to a force or a torque at its centre of mass, the joints below and above it free to move: the
// means of the diagonals of J M^-1 J'. 0 for what cannot be moved. MuJoCo's body_invweight0, except that MuJoCo takes
// 1/m for a body on sliders along the axes, whatever their armature.
struct InverseMass {
  double translation = 0;  // [1/kg]; 1/m for a free body
  double rotation = 0;     // [1/(kg m^2)]
};

// Of each body, in the model's start configuration; time linear in the number of links. A joint that moves no mass
// counts as locked.
std::vector<InverseMass> inverse_masses(const Model& model);

}  // namespace stickslip
