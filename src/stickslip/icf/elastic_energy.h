#pragma once

#include <cmath>

#include "stickslip/geometry/contact_set.h"

namespace stickslip {

// What compressed surfaces store [J]: sum of k phi^2 / 2. Two rigid sides store nothing worth counting.
inline double elastic_energy(const ContactSet& contacts) {
  double energy = 0;
  for (int i = 0; i < contacts.size(); ++i) {
    const double stiffness = contacts.material[contacts.pair[i]].stiffness;
    if (contacts.distance[i] < 0 && std::isfinite(stiffness))
      energy += 0.5 * contacts.weight[i] * stiffness * contacts.distance[i] * contacts.distance[i];
  }
  return energy;
}

}  // namespace stickslip
