#include "stickslip/simulate/contact_sample.h"

#include <cmath>
#include <map>
#include <utility>

namespace stickslip {
namespace {

std::array<float, 3> single(const Vector3d& x) {
  return {static_cast<float>(x.x()), static_cast<float>(x.y()), static_cast<float>(x.z())};
}

ContactSample contact_sample(const ContactResult& contact) {
  return {.body_a = contact.body_a,
          .body_b = contact.body_b,
          .point = single(contact.point),
          .normal = single(contact.normal),
          .depth = static_cast<float>(contact.depth),
          .force = single(contact.force),
          .slip = single(contact.slip),
          .mode = static_cast<std::int32_t>(contact.mode)};
}

bool same_bodies(const ContactSample& a, const ContactSample& b) {
  return a.body_a == b.body_a && a.body_b == b.body_b;
}

}  // namespace

double magnitude(const std::array<float, 3>& force) {
  return std::hypot(static_cast<double>(force[0]), force[1], force[2]);
}

void sample_contacts(std::span<const ContactResult> contacts, std::vector<ContactSample>& out) {
  out.clear();
  for (const ContactResult& contact : contacts) {
    if (contact.mode != ContactMode::kOpen) out.push_back(contact_sample(contact));
  }
  find_largest_forces(out);
}

// Contacts of two bodies mostly follow each other.
void find_largest_forces(std::span<ContactSample> contacts) {
  std::map<std::pair<int, int>, std::array<float, 3>> sums;
  const auto each_with_its_sum = [&](const auto& visit) {
    std::array<float, 3>* sum = nullptr;
    for (size_t i = 0; i < contacts.size(); ++i) {
      if (i == 0 || !same_bodies(contacts[i], contacts[i - 1])) sum = &sums[{contacts[i].body_a, contacts[i].body_b}];
      visit(contacts[i], *sum);
    }
  };
  each_with_its_sum([](const ContactSample& contact, std::array<float, 3>& sum) {
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += contact.force[k];
  });
  each_with_its_sum([](ContactSample& contact, const std::array<float, 3>& sum) {
    contact.largest_force = static_cast<float>(magnitude(contact.force));
    contact.largest_pair_force = static_cast<float>(magnitude(sum));
  });
}

}  // namespace stickslip
