#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "stickslip/simulate/contact_sample.h"

namespace stickslip {

// What contacts did over an interval of several steps: each one's impulse divided by the interval, so that forces times
// intervals add up to impulses however short a hit was, and the largest force of a step beside it. Contacts of two
// bodies are told apart by their order, so that there are never more of them than at one time.
class ContactAverage {
 public:
  // These forces held for `duration` of the interval [s]. None are contacts that are apart.
  void add(std::span<const ContactSample> contacts, double duration);

  // Writes the interval's contacts, ordered by bodies, and begins the next interval. Point, normal, depth, slip and
  // mode are those of the last time at which a contact touched.
  void finish(std::vector<ContactSample>& out);
  void clear();
  double duration() const { return duration_; }  // of the interval so far [s]

 private:
  struct Entry {
    ContactSample latest;
    std::array<double, 3> impulse{};  // [N s]
    float largest = 0, largest_pair = 0;
  };
  using Key = std::tuple<std::int32_t, std::int32_t, int>;  // bodies, and the how manieth of theirs
  std::map<Key, Entry> entries_;
  double duration_ = 0;
};

}  // namespace stickslip
