#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "stickslip/icf/contact_result.h"

namespace stickslip {

// A contact as recordings keep it, in single precision. 72 bytes without padding.
struct ContactSample {
  std::int32_t body_a = 0, body_b = 0;
  std::array<float, 3> point{}, normal{};
  float depth = 0;
  std::array<float, 3> force{}, slip{};  // on B: the impulse over the sample's interval, divided by it [N]
  std::int32_t mode = 0;
  float largest_force = 0;       // of all steps in the interval [N]
  float largest_pair_force = 0;  // the same of the sum over all contacts of the two bodies

  bool operator==(const ContactSample&) const = default;
};

// Those of one step that are not open.
void sample_contacts(std::span<const ContactResult> contacts, std::vector<ContactSample>& out);

// Fills in the largest forces of contacts that come from one step.
void find_largest_forces(std::span<ContactSample> contacts);

// Magnitude of a contact's force [N].
double magnitude(const std::array<float, 3>& force);

}  // namespace stickslip
