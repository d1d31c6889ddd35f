#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "stickslip/contact/clamp_law.h"
#include "stickslip/contact/normal_law.h"
#include "stickslip/dynamics/acceleration.h"
#include "stickslip/dynamics/mass_matrix.h"
#include "stickslip/icf/closing_gap.h"
#include "stickslip/icf/problem.h"

// Constraints and forces that act along one linear function of the velocities, before the step h is known.
namespace stickslip {

// As RowEntry, with the tree instead of the node.
struct TreeEntry {
  int tree = 0, dof = 0;
  double value = 0;
};

// As stiff as a step can tell: the mass m swings on k with the period beta h, critically damped.   CENIC (18), mended
//
//   k = 4 pi^2 m/(beta h)^2,   tau = beta h/pi
struct NearRigid {
  double mass = 0;  // m
  double beta = 0;  // 0: not used

  double stiffness(double h) const;
  double relaxation_time(double h) const;
};

// Pushes back where `distance` closes; the law of contact, see hunt_crossley_law.
struct LimitSpec {
  IndexRange entries;
  double bias = 0;
  double distance = 0;     // now
  double rate = 0;         // of the distance now
  double stiffness = 0;    // [N/m, N m/rad]
  double dissipation = 0;  // [s/m, s/rad]
  NearRigid rigid;         // if used: instead of the two, with its relaxation time
  double mass = 1;         // that it moves, in the model's start configuration
  bool is_stiff = false;   // stiffer than steps can tell: acts at the end of them alone, in the trapezoid rule too

  NormalLaw<double> law(double h) const;
  double force() const;              // now; of rows that are not stiff
  double end_share(double h) const;  // see end_share.h; 1 if it is stiff
  // Where a step h starts that ends here at the rate v.
  LimitSpec stepped_back(double h, double v) const;
};

// What a row's work counts as.
enum class RowKind { kConstraint, kActuator, kFriction, kTendon };

// The force clamp(offset - stiffness h v - damping v): what it is now, and how it answers to velocity.
struct ForceSpec {
  IndexRange entries;
  RowKind kind = RowKind::kConstraint;
  double bias = 0;
  double offset = 0;
  double stiffness = 0, damping = 0;
  double lower = 0, upper = 0;
  double curvature = 0;     // of the error at constant v: half of it times h^2 is what a straight prediction misses
  double turning_rate = 0;  // [rad/s] ConstraintError's
  double gap = 0;           // of a holonomic constraint: its error now
  int gap_index = -1;       // in what measure_gaps() measures; -1: none
  double speed = 0;         // v now: where it would feed energy, the force is taken at the start of the step
  ClosingGap closing;       // of stiff constraints
  NearRigid rigid;          // if used: offset, stiffness and damping are those of a unit of stiffness
  double mass = 1;          // as LimitSpec's, and so is the next
  bool is_stiff = false;

  ClampLaw law(double h) const { return law(h, bend(h)); }
  ClampLaw law(double h, double bend) const;  // with what a straight prediction of the error turned out to miss
  double force() const;                       // as LimitSpec's
  double end_share(double h) const;
  ForceSpec stepped_back(double h, double v) const;
  ForceSpec at_step(double h) const;  // with the stiffness that the step makes it have
  double bend(double h) const;        // what a straight prediction of the error misses, as far as the start tells
};

// What stiff constraints are made of: k = 4 pi^2 m/T^2, tau = T/pi. T belongs to the model, not to the step, so that
// the equations do not change with h; unless `beta` is given, with which T = beta h for loops and limits of positions.
struct TimeScales {
  double beta = 0;
  double holonomic = 1e-4;       // T of loops, welds and couplers [s]
  double limit = 20e-3;          // T of joint limits [s]
  ClosingSpeeds closing;         // of stiff constraints; a limit lets go at the largest of them
  double joint_stiction = 1e-4;  // speed below which dry friction sticks [rad/s, m/s]
};

// All rows of a model at one state, in an order that depends on the model alone.
class RowList {
 public:
  explicit RowList(const Model& model);

  std::vector<TreeEntry> entries;  // of one row: sorted by tree, then dof
  std::vector<LimitSpec> limits;
  std::vector<ForceSpec> forces;
  int gap_count = 0;  // of holonomic constraints

  void clear();

  // One row at a time: its coefficients by the index of State::v, then what acts along it.
  void coefficient(int v, double value) { pending_.push_back({v, value}); }
  double pending_rate(const VectorXd& v) const;  // of the row so far
  void finish_limit(const Kinematics& kinematics, const MassMatrix& mass, const LimitSpec& spec);
  void finish_force(const Kinematics& kinematics, const MassMatrix& mass, const ForceSpec& spec);
  // The last rows, so many of them, are the directions of one thing that is held: see remember_masses.
  void tie_forces(int count) { tied_forces_.push_back({static_cast<int>(forces.size()) - count, count}); }

  // This being the end of a step: stiff rows become the mean of those at its start and its end, and close the gap that
  // there was at its start.
  void average_stiff_rows(const RowList& start);

  double tree_mass(int tree) const { return tree < 0 ? 0 : tree_mass_[tree]; }

  // The mass that the next row moved in the model's start configuration; 1 while that is being measured.
  double next_limit_mass() const { return reference(limit_mass_, limits.size()); }
  double next_force_mass() const { return reference(force_mass_, forces.size()); }
  // The rate of the next row while the fastest of its own coordinates, when it is pushed along the row, has the rate 1.
  double next_force_unit() const { return reference(force_unit_, forces.size()); }
  // Of rows that are tied none counts as much heavier than the lightest, or than what moves with a coordinate. A
  // planar loop of a file with five digits is not quite planar: what holds it across its plane moves the links by a
  // lever of micrometres, and so a mass of megatons, which would press the links in their plane for every nanometre
  // that they are off it.
  void remember_masses(const Model& model, const MassMatrix& mass);

 private:
  struct Pending {
    int v = 0;
    double value = 0;
  };
  struct DofPlace {
    int tree = 0, dof = 0;
    int free_body = -1;  // index into MassMatrix::free_bodies
    int link = 0;
  };

  static double reference(const std::vector<double>& masses, size_t i) { return i < masses.size() ? masses[i] : 1.0; }
  IndexRange finish_entries(const Kinematics& kinematics, const MassMatrix& mass);
  void bound_tied_masses(const IndexRange& tied, std::span<const MatrixXd> blocks);
  void finish_free_entries(const Kinematics& kinematics, const MassMatrix& mass, size_t first, size_t last);

  std::vector<DofPlace> places_;  // of each index of State::v
  std::vector<double> tree_mass_;
  std::vector<Pending> pending_;
  std::vector<IndexRange> tied_forces_;
  std::vector<double> limit_mass_, force_mass_, force_unit_;
};

// Where everything is.
struct PoseContext {
  const Model& model;
  const State& state;
  const Kinematics& kinematics;  // poses
};

// What a kind of row is built from.
struct RowContext : PoseContext {
  const MassMatrix& mass;
  // Of each link of an articulated tree at constant v, gravity counted as the world accelerating upward.
  const std::vector<LinkAcceleration>& acceleration;
  const TimeScales& scales;
};

// How far a constraint is violated, and how that changes: at the rate J v + bias, and at constant v by `curvature` on
// top of it: what turns, at `turning_rate` [rad/s] at most, makes it. Of one of several rows that hold one thing `size`
// is how far that is off, in what need not be metres or radians: see closing_gap. `moved`: what there is to move [kg],
// however much heavier a row is by a lever that hardly is one.
struct ConstraintError {
  double value = 0, bias = 0, curvature = 0;
  double turning_rate = 0;
  double size = 0, unit = 1;
  double moved = std::numeric_limits<double>::infinity();
};

// How a constraint gives way in one of its directions: by a stiffness and a damping, with a period of its own, or
// hardly.
struct Softness {
  std::optional<double> stiffness, dissipation;  // [N/m, N s/m; N m/rad, N m s/rad]
  std::optional<double> time_scale;              // [s]
  double damping_ratio = 1;                      // of that period
};

inline Softness softness(const Constraint& x) { return {x.stiffness, x.dissipation, x.time_scale, x.damping_ratio}; }
inline Softness rotational_softness(const Constraint& x) {
  return {x.rotational_stiffness, x.rotational_dissipation, x.time_scale, x.damping_ratio};
}

// What holds a constraint that moves the mass m.
ForceSpec constraint_force(const Softness& softness, const ConstraintError& error, double mass,
                           const TimeScales& scales);

}  // namespace stickslip
