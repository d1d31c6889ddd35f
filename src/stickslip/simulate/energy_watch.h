#pragma once

#include <string>
#include <vector>

#include "stickslip/control/stepper.h"
#include "stickslip/dynamics/tree_energy.h"

namespace stickslip {

// Looks after each step for energy that came from nothing: more than there was and what actuators, external systems,
// prescribed motion and running surfaces gave. Passive elements give nothing, whatever work a step's equations book for
// them; what users write between steps is theirs.
//
//   gained := max(0, gained + E - E_expected),   E_expected of the next state = E + what the step was fed
//
// is by how much energy rose above its lowest course since the start: what was lost before hides nothing. It is judged
// by what was in play: motion and stored energy at the start, what bodies fell and may fall by their own size, and all
// that was fed.
//
// Energies are those at the starts of steps, where poses, velocities, overlaps and constraint errors are known anyway.
// A step that seems to gain all by itself is looked at before it is accepted.
class EnergyWatch {
 public:
  EnergyWatch(const Model& model, bool stops);  // `stops`: what doubles its energy

  // After a step. Writes what `next` remembers; a status if it must not be accepted.
  Status look(const State& begin, const StepRecord& record, State& next);

  // Why a step had no result: says so if energy had come from nothing before.
  void explain(const State& begin, const StepRecord& record, Status& status);

  double gained() const { return most_; }  // the most since the start of the audit [J]
  void restart() { most_ = 0; }            // what was found stays
  void forget() { worst_ = {}; }           // what was found

  void copy(const EnergyWatch& other) {  // what it found, of the same model
    most_ = other.most_;
    worst_ = other.worst_;
  }

  void add_warning(std::vector<Warning>& warnings) const;

 private:
  struct Worst {
    double gained = 0, in_play = 0, time = 0, first = 0;  // [J], [J], [s]; first: when it passed what is warned of
    int tree = -1;
    double ratio() const { return in_play > 0 ? gained / in_play : 0; }
  };

  double mark_of(const State& state) const;
  EnergyMemory begin(const State& state, const StepRecord& record);
  void keep_worst(const EnergyMemory& memory, const State& state);
  int fastest_tree(const State& state);
  TreeEnergy measure(const State& state);
  Status stop(const Worst& worst, double time) const;
  std::string sentence(const Worst& worst) const;

  const Model& model_;
  bool stops_;
  bool is_blind_ = false;  // prescribed motion does work within trees, which nobody measures
  TreeEnergyMeter meter_;
  double size_ = 0;
  VectorXd weights_;  // of the numbers that make a mark
  double most_ = 0;
  Worst worst_;
  Kinematics kinematics_;
};

}  // namespace stickslip
