#pragma once

#include <vector>

#include "stickslip/icf/grips.h"

namespace stickslip {

// What surfaces store [J]. Two rigid sides store nothing worth counting.
struct ElasticEnergy {
  double normal = 0;      // compressed: sum of k phi^2 / 2
  double tangential = 0;  // held by friction: sum of k_t a^2 / 2, at most what their cones can hold
  double total() const { return normal + tangential; }
};

class ElasticEnergyMeter {
 public:
  ElasticEnergy measure(const CollisionModel& collision, const Kinematics& kinematics, const ContactSet& contacts,
                        const std::vector<Grip>& memory);

 private:
  std::vector<double> load_, share_;
  std::vector<GripTerms> grips_;
};

}  // namespace stickslip
