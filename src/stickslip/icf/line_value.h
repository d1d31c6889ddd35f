#pragma once

namespace stickslip {

// First and second derivative of a potential along a line of velocities.
struct LineValue {
  double slope = 0, curvature = 0;

  LineValue& operator+=(const LineValue& other) {
    slope += other.slope;
    curvature += other.curvature;
    return *this;
  }
};

}  // namespace stickslip
