#include "stickslip/simulate/contact_average.h"

#include <algorithm>
#include <iterator>

namespace stickslip {

void ContactAverage::clear() {
  entries_.clear();
  duration_ = 0;
}

void ContactAverage::add(std::span<const ContactSample> contacts, double duration) {
  if (!(duration > 0)) return;
  duration_ += duration;
  std::map<std::pair<int, int>, int> seen;
  auto next = entries_.begin();  // which mostly is the one wanted: contacts come in the order of bodies
  for (const ContactSample& contact : contacts) {
    const int order = seen[{contact.body_a, contact.body_b}]++;
    const auto at = entries_.try_emplace(next, Key{contact.body_a, contact.body_b, order});
    next = std::next(at);
    Entry& entry = at->second;
    entry.latest = contact;
    for (size_t k = 0; k < entry.impulse.size(); ++k) entry.impulse[k] += duration * contact.force[k];
    entry.largest = std::max(entry.largest, contact.largest_force);
    entry.largest_pair = std::max(entry.largest_pair, contact.largest_pair_force);
  }
}

void ContactAverage::finish(std::vector<ContactSample>& out) {
  out.clear();
  for (auto& [key, entry] : entries_) {
    ContactSample contact = entry.latest;
    for (size_t k = 0; k < entry.impulse.size(); ++k)
      contact.force[k] = static_cast<float>(entry.impulse[k] / duration_);
    contact.largest_force = entry.largest;
    contact.largest_pair_force = entry.largest_pair;
    out.push_back(contact);
  }
  clear();
}

}  // namespace stickslip
