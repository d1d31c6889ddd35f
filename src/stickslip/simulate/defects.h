#pragma once

#include <map>
#include <utility>
#include <vector>

#include "stickslip/dynamics/kinematics.h"
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/simulate/joint_defects.h"

namespace stickslip {

// Looks after each step for what no solver should leave, and a status does not tell: constraints that are far from held
// and bodies that are deep in each other. Keeps the worst of each, for the report.
//
// A rope that is stiff is far from held when it is off by a tenth of its length, one with a stiffness or time scale of
// its own when it is off by all of it; balls and welds when their points are that part of the larger body's size apart,
// and at least a millimetre. What a mocap body drags may lag, and what starts open has half as long again as it should
// take to close, and a tenth of a second at least.
// Bodies are deep in each other when the thinner one's middle is, beyond half of its thinnest side, or all of it if it
// is a wall: what is soft gives way to it.
class DefectWatch {
 public:
  DefectWatch(const Model& model, const CollisionModel* collision);

  // `overlap`: the deepest that the step saw; overlaps are only looked for where it may be too deep, and seldom again
  // while it gets no deeper.
  void look(const Model& model, const CollisionModel& collision, const State& state, double overlap,
            ContactWorkspace& workspace);

  // Another run begins there. What was found stays.
  void restart(const Model& model, const State& state);
  void forget();  // what was found

  void add_warnings(const Model& model, std::vector<Warning>& warnings) const;

 private:
  struct Worst {
    double amount = 0, time = 0;  // [m], [s]
  };
  struct Held {
    int constraint = 0;
    double size = 0, allowed = 0;  // [m]
    bool has_closed = false;       // since the start
    double time_to_close = 0;      // [s] from the start
    Worst worst;
  };

  void look_at_constraints(const Model& model, const State& state);
  void look_at_overlaps(const CollisionModel& collision, const State& state, ContactWorkspace& workspace);

  JointDefects joints_;
  std::vector<Held> held_;
  std::vector<double> allowed_depth_;  // of each body; infinite where it has none
  double thinnest_ = kInfinity;
  double start_ = 0;      // [s]
  double looked_at_ = 0;  // the deepest overlap so far
  int skipped_ = 0;       // steps since the last look
  std::map<std::pair<int, int>, Worst> deep_;
  Kinematics kinematics_;
  std::vector<double> no_reach_;
  ContactSet overlapping_;
};

}  // namespace stickslip
