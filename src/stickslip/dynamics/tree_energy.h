#pragma once

#include <vector>

#include "stickslip/dynamics/kinematics.h"

namespace stickslip {

// Of one tree [J].
struct TreeEnergy {
  double kinetic = 0;
  double potential = 0;  // of gravity and springs
  double elastic = 0;    // of what springs back: compressed surfaces, friction's springs, limits, soft constraints
  double slow = 0;       // part of it that never comes back as motion: limits return at a bounded speed
  double stiff = 0;      // the most that stiff constraints and rigid surfaces may give back; not part of `elastic`
  double closing = 0;    // the same, where gaps of constraints close at their bounded speeds

  double total() const { return kinetic + potential + elastic; }  // at least
  double most() const { return total() + stiff; }
  double in_motion() const { return kinetic + elastic - slow; }  // or about to be
  TreeEnergy& operator+=(const TreeEnergy& other) {
    kinetic += other.kinetic;
    potential += other.potential;
    elastic += other.elastic;
    slow += other.slow;
    stiff += other.stiff;
    closing += other.closing;
    return *this;
  }
};

// The mechanical energy of trees one by one, which `energy.h` tells of all together. A tendon's spring counts for the
// first tree that it pulls. What prescribed motion alone moves has none.
class TreeEnergyMeter {
 public:
  explicit TreeEnergyMeter(const Model& model);

  // Needs poses and velocities of articulated trees, nothing of lone free bodies. Sets kinetic and potential energy.
  TreeEnergy measure(int tree, const State& state, const Kinematics& kinematics) const;

  // The same of all trees.
  void measure(const State& state, const Kinematics& kinematics, std::vector<TreeEnergy>& energy) const;

  // Energy that gravity gives a tree while it falls by its own size, sum of m g r with r its bodies' radius of
  // gyration; and that of a creep of 1 mm/s, which is there without gravity, too.
  double size(int tree) const { return size_[tree]; }

  // Prescribed motion within the tree does work on it that nobody measures.
  bool is_driven(int tree) const { return is_driven_[tree]; }

 private:
  struct Weight {  // what gravity pulls at, link's axes
    double mass = 0;
    Vector3d moment = Vector3d::Zero();
  };
  TreeEnergy measure_free_body(const Link& link, const Weight& weight, const State& state) const;

  const Model& model_;
  std::vector<Weight> weights_;  // of each link
  std::vector<double> size_;     // of each tree
  std::vector<char> is_driven_, has_springs_;
  std::vector<int> first_tendon_;  // of each tree, into tendons_
  std::vector<int> tendons_;       // with springs, tree by tree
};

}  // namespace stickslip
