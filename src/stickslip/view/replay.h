#pragma once

#include <memory>
#include <string>
#include <vector>

#include "stickslip/simulate/trajectory.h"
#include "stickslip/view/frame.h"

namespace stickslip {

// A run as frames and curves for the page.
class Replay {
 public:
  explicit Replay(std::shared_ptr<const Trajectory> run);

  const Trajectory& run() const { return *run_; }
  size_t size() const { return run_->t.size(); }
  size_t series_count() const;

  void append_frame(size_t sample, std::string& out);  // with its size before it
  // With the forces of all samples after `before`, for pages that leave some out.
  void append_frame(size_t before, size_t sample, std::string& out);
  std::string times() const;
  std::string series(size_t curve) const;  // of one number each sample

 private:
  double step_size(size_t sample) const;
  double value(size_t curve, size_t sample) const;
  std::span<const ContactSample> contacts(size_t sample) const;
  void append_frame(size_t sample, std::span<const ContactSample> contacts, std::string& out);

  std::shared_ptr<const Trajectory> run_;
  Energies energies_;
  FrameWriter writer_;
  State state_;
  std::string frame_;
  ContactAverage average_;
  std::vector<ContactSample> contacts_;
};

}  // namespace stickslip
