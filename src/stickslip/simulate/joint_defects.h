#pragma once

#include <vector>

#include "stickslip/model/model.h"
#include "stickslip/state/state.h"

namespace stickslip {

// As DefectWatch, of what holds joints to each other: couplers, and the limits of tendons.
//
// What is stiff is far from held when it is off by a tenth of a radian, or of the size of the body that a slide moves;
// a coupler with a stiffness or time scale of its own, by ten times that. Of several joints in a sum: by what that
// comes to. What starts off has time to close.
class JointDefects {
 public:
  explicit JointDefects(const Model& model);

  void look(const Model& model, const State& state);
  void restart(double time);
  void forget();
  void add_warnings(const Model& model, std::vector<Warning>& warnings) const;

 private:
  struct Held {
    int constraint = -1, tendon = -1;  // one of them
    double allowed = 0;
    double start_error = -1;  // that it had when the run began; below 0: not looked at since
    bool has_closed = false;
    double worst = 0, time = 0;
  };
  std::vector<Held> held_;
  double start_ = 0;  // [s]
};

}  // namespace stickslip
