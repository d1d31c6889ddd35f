#include "stickslip/icf/elastic_energy.h"

#include <algorithm>
#include <cmath>

#include "stickslip/icf/contact_frame.h"

namespace stickslip {

ElasticEnergy ElasticEnergyMeter::measure(const CollisionModel& collision, const Kinematics& kinematics,
                                          const ContactSet& contacts, const std::vector<Grip>& memory) {
  ElasticEnergy energy;
  load_.assign(static_cast<size_t>(contacts.size()), 0.0);
  for (int i = 0; i < contacts.size(); ++i) {
    const PairMaterial& material = contacts.material[contacts.pair[i]];
    if (!(contacts.distance[i] < 0) || !std::isfinite(material.stiffness)) continue;
    load_[i] = contacts.weight[i] * material.force_at(-contacts.distance[i]);
    energy.normal += contacts.weight[i] * material.energy_at(-contacts.distance[i]);
  }
  if (memory.empty()) return energy;
  find_grips({collision, kinematics, contacts, load_, memory}, grips_, share_);
  for (GripTerms& grip : grips_) {
    if (!std::isfinite(grip.stiffness) || !(grip.stiffness > 0)) continue;
    double load = 0;
    for (int i = grip.first; i < grip.first + grip.count; ++i) load += load_[i];
    const PairMaterial& material = contacts.material[contacts.pair[grip.first]];
    const double most = material.static_friction * load;
    if (material.has_grain) {
      const Matrix3d frame = contact_frame(collision, kinematics, contacts, grip.first);
      const Vector3d displacement = kinematics.pose[grip.ground].R * grip.grip.displacement;
      grip.grip.displacement << frame.leftCols<2>().transpose() * displacement, 0;  // as the springs feel it
    }
    energy.tangential += std::min(grip.energy(), 0.5 * most * most / grip.stiffness);
  }
  return energy;
}

}  // namespace stickslip
