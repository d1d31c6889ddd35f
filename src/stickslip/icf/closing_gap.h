#pragma once

#include <algorithm>
#include <cmath>

// How what is not held where it ought to be comes back: at a bounded speed, however stiff it is and however short the
// step. See docs/concepts/constraints.md, "Gaps".
namespace stickslip {

// The speeds at which gaps close [m/s, rad/s]: in some 20 ms, but a large one not faster than `largest`, and what is
// left of it not more slowly than `least`.
struct ClosingSpeeds {
  double largest = 1, least = 0.01;
  double time = 20e-3;  // [s]
  double held = 2e-3;   // [m, rad] up to which the whole spring meets a load at rest

  double of(double gap) const { return std::clamp(gap / time, least, largest); }

  // At these speeds, if no load acts.
  double time_to_close(double gap) const {
    const double fast = std::max(0.0, gap - largest * time), slow = std::min(gap, least * time);
    const double rest = gap - fast;
    return fast / largest + (rest > slow ? time * std::log(rest / slow) : 0) + slow / least;
  }
};

// What a stiff spring and damper, -k (e + tau v), does about a gap e. Of several rows that hold one point, or one turn,
// `size` is that of all of them together, so that the gap closes along a straight line.
struct ClosingGap {
  double size = 0;     // |e|; 0: there is none, or it may close as it likes
  double speed = 1;    // at which it closes
  double largest = 1;  // speed at which any closes
  double held = 0;
  double slack = 0;  // what the step's own rule leaves open

  // The factors of e and of k in a step h. In the limit of stiffness e + (h + tau) v = 0: the first bounds v by
  // `speed`.
  struct Factors {
    double gap = 1, stiffness = 1;
  };
  Factors factors(double h, double tau) const {
    const double reach = speed * (h + tau) + slack;
    if (size <= reach) return {};
    return {reach / size, rest(tau) / reach};
  }

  // The error whose force, k times it, meets a load at rest, whatever the step. What hangs on a pin must not part it.
  // But what no force can close, as an arm that is told to be where it cannot reach, is not torn by k times a metre.
  double rest(double tau) const { return std::min(size, std::max(held * held / size, largest * tau)); }
};

// `unit`: of rows that measure in anything, what makes a metre or radian of that which moves.
inline ClosingGap closing_gap(double size, const ClosingSpeeds& speeds, double unit = 1) {
  return {size, unit * speeds.of(size / unit), unit * speeds.largest, unit * speeds.held};
}

}  // namespace stickslip
