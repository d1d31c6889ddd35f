#pragma once

#include <vector>

#include "stickslip/scene/scene.h"

namespace stickslip {

// s(t), s'(t), s''(t) of a prescribed motion.
struct MotionSample {
  double position = 0, velocity = 0, acceleration = 0;
};

// A prescribed motion, ready to evaluate. Tables become C1 cubics that do not overshoot: their slopes are limited.
class MotionCurve {
 public:
  explicit MotionCurve(const Motion& motion);

  MotionSample at(double time) const;
  bool rotates() const { return motion_.rotates; }
  const Motion& motion() const { return motion_; }

 private:
  MotionSample table_at(double time) const;

  Motion motion_;
  std::vector<double> slopes_;
};

}  // namespace stickslip
