#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace stickslip {

// A simulator was told something while it is in the middle of a step, or while another thread uses it.
class SimulatorBusy : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Which thread uses a simulator, and whether it only reads.
class InUse {
 public:
  bool is_changed() const;  // by a step, for one; perhaps in another thread

 private:
  friend class Reading;
  friend class Changing;
  std::atomic<std::uintptr_t> user_ = 0;  // 0: nobody
};

// For as long as it lives, its thread asks the simulator something: also from within a step that the same thread takes.
// Whoever else reads is waited for, so that nobody should wait for others meanwhile, such as Python's lock. Throws
// SimulatorBusy while another thread changes it.
class Reading {
 public:
  Reading(InUse& in_use, const char* purpose);  // "read its contacts"
  ~Reading();
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  InUse* in_use_;  // null within another use of the same thread
};

// For as long as it lives, its thread changes the simulator. Throws SimulatorBusy while another thread does, and from
// within: a step that begins within a step would overwrite what the first one works on.
class Changing {
 public:
  Changing(InUse& in_use, const char* purpose);  // "take a step"
  ~Changing();
  Changing(const Changing&) = delete;
  Changing& operator=(const Changing&) = delete;

 private:
  InUse& in_use_;
};

}  // namespace stickslip
