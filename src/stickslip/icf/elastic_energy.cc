#include "stickslip/icf/elastic_energy.h"

#include <algorithm>
#include <cmath>

namespace stickslip {

ElasticEnergy ElasticEnergyMeter::measure(const CollisionModel& collision, const Kinematics& kinematics,
                                          const ContactSet& contacts, const std::vector<Grip>& memory) {
  ElasticEnergy energy;
  load_.assign(static_cast<size_t>(contacts.size()), 0.0);
  for (int i = 0; i < contacts.size(); ++i) {
    const double stiffness = contacts.material[contacts.pair[i]].stiffness;
    if (!(contacts.distance[i] < 0) || !std::isfinite(stiffness)) continue;
    load_[i] = -contacts.weight[i] * stiffness * contacts.distance[i];
    energy.normal -= 0.5 * load_[i] * contacts.distance[i];
  }
  if (memory.empty()) return energy;
  find_grips({collision, kinematics, contacts, load_, memory}, grips_, share_);
  for (const GripTerms& grip : grips_) {
    if (!std::isfinite(grip.stiffness) || !(grip.stiffness > 0)) continue;
    double load = 0;
    for (int i = grip.first; i < grip.first + grip.count; ++i) load += load_[i];
    const double most = contacts.material[contacts.pair[grip.first]].static_friction * load;
    energy.tangential += std::min(grip.energy(), 0.5 * most * most / grip.stiffness);
  }
  return energy;
}

}  // namespace stickslip
