#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stickslip/control/make_stepper.h"
#include "stickslip/dynamics/kinematics.h"
#include "stickslip/dynamics/wrench.h"
#include "stickslip/geometry/scene_queries.h"
#include "stickslip/icf/elastic_energy.h"
#include "stickslip/simulate/defects.h"
#include "stickslip/simulate/energy_watch.h"
#include "stickslip/simulate/hold_tally.h"
#include "stickslip/simulate/in_use.h"
#include "stickslip/simulate/power_meter.h"
#include "stickslip/simulate/report.h"
#include "stickslip/simulate/simulator_options.h"
#include "stickslip/simulate/step_observer.h"
#include "stickslip/state/state.h"
#include "stickslip/step/method.h"
#include "stickslip/systems/evaluate_systems.h"
#include "stickslip/systems/repeat_check.h"

namespace stickslip {

// A model, a state and a method: simulation step by step.
//
// It belongs to one thread at a time, and to one call: while it steps, the functions that the step calls may ask it
// whatever they like, in the same thread, and write ctrl and mocap, which count from the next step on (those of a tick
// at once). Everything else throws SimulatorBusy, also a step during which q, v, z or the time were written.
class Simulator {
 public:
  // Throws std::invalid_argument with the sentence of check() if the options are wrong.
  explicit Simulator(std::shared_ptr<const Model> model, const SimulatorOptions& options = {});
  explicit Simulator(Model model, const SimulatorOptions& options = {});
  Simulator(const Simulator& other);
  Simulator& operator=(const Simulator&) = delete;
  ~Simulator();

  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& shared_model() const { return model_; }
  const SimulatorOptions& options() const { return options_; }
  const std::string& method() const { return method_name_; }
  bool acts_on_contact() const { return has_contact_; }       // smooth methods do not
  double time_step() const { return stepper_->time_step(); }  // under error control: the longest

  // One accepted step of the method. If it fails the state stays at the last good one.
  Status step();

  // Steps until `time`, which is hit exactly and without a sliver of a step before it. `keep_going` is
  // asked now and then and stops the run by returning false.
  Status advance_to(double time, const std::function<bool()>& keep_going = {});

  // The next step of advance_to(time); none if `time` is reached. Time does not run backward: std::invalid_argument.
  Status step_toward(double time, const std::function<bool()>& keep_going = {});

  // The state may be written between steps; the next call sees it. No other thread waits for these two: while it steps
  // they are the state that the step began at.
  const State& state() const { return state_; }
  State& state() { return state_; }
  double time() const { return state_.time; }
  double last_step() const { return last_step_; }  // size of the last accepted one [s]; 0 before the first
  // Keeps the numbers of state() where they are, for views that outlive the simulator.
  std::shared_ptr<const void> state_memory() const { return memory_; }
  // Continues from a saved state bit for bit. The sizes must be the model's; else std::invalid_argument.
  void set_state(const State& state);
  void reset();  // to the start

  // Adds an external system, whose states join the end of state().z at their start. Throws std::invalid_argument if it
  // does not fit the model.
  void add(std::shared_ptr<const System> system);
  const SystemList& systems() const { return *systems_; }
  // Takes other pointers to the systems it has: for languages that count who holds each.
  void hold_systems(const std::function<std::shared_ptr<const System>(const SystemEntry&)>& pointer_to);

  // Tells it of every step from now on, until forgotten. Copies of the simulator are not watched.
  void observe(std::shared_ptr<StepObserver> observer);
  void forget(const StepObserver& observer);
  InUse& in_use() const { return in_use_; }  // to hold it for more than one question, see Reading

  Pose body_pose(int body) const;
  LinkVelocity body_velocity(int body) const;
  double kinetic_energy() const;
  double potential_energy() const;  // gravity + springs + elastic contact
  Report report() const;
  // What keeps the last steps from being longer, in words; empty if nothing does. For those who wait.
  std::string held_by() const { return hold_tally_.sentence(*model_, *systems_, last_step_); }

  // Of the last accepted step; none before the first, and for methods without contact.
  const std::vector<ContactResult>& contacts() const;

  // Sum of the contact forces on a body in the last accepted step: force and torque about its origin, world axes.
  Wrench contact_force(int body) const;
  // Of joint limits, dry friction, couplers and loop closures in the last accepted step, as generalised forces; nv.
  const VectorXd& constraint_forces() const;

  // Questions about the geometry that collides, in the present state. Filters do not apply to the first two.
  std::optional<BodyDistance> distance(int body_a, int body_b) const;
  // `direction` need not be unit; `ignored_body` is passed through.
  std::optional<SceneRayHit> raycast(const Vector3d& origin, const Vector3d& direction, double max_distance = kInfinity,
                                     int ignored_body = -1) const;
  std::vector<BodyOverlap> overlaps() const;      // of bodies that may collide
  const CollisionModel& collision_model() const;  // made when first asked for

 private:
  Status take_step(double end);
  Status take_step_toward(double time, const std::function<bool()>& keep_going);
  Status attempt(double end, StepRecord& record);
  Status attempt_from_begin(double end, StepRecord& record);
  Status sample_systems();
  void refuse_writes(const VectorXd& z);
  void accept(const StepRecord& record);
  Status tell_observers(double target, const StepRecord& record);
  const Kinematics& kinematics_of(const State& state) const;
  const Kinematics& present() const;
  struct Energy {
    double mechanical = 0;  // kinetic, gravity and springs
    ElasticEnergy elastic;  // of surfaces
    double total() const { return mechanical + elastic.total(); }
  };
  Energy energy_of(const State& state) const;
  ElasticEnergy elastic_energy_of(const State& state, const Kinematics& kinematics) const;
  Energy written_energy() const;  // what writes since the last step added
  void move_written_grips();      // after such writes
  void audit_energy(EnergyAudit& audit) const;
  void count(const StepStatistics& step);
  void read_results() const;
  void restart_audit();
  std::string interruption() const;
  void set_systems(std::shared_ptr<const SystemList> systems);

  std::shared_ptr<const Model> model_;
  SimulatorOptions options_;
  std::string method_name_;
  std::unique_ptr<Stepper> stepper_;
  std::shared_ptr<const SystemList> systems_;
  std::unique_ptr<SystemEvaluator> sampler_;  // asks systems with ticks
  struct Memory {
    State state;
    std::vector<VectorXd> outgrown_z;  // what state.z was before systems were added: users hold views into it
  };
  std::shared_ptr<Memory> memory_;
  State& state_;
  State begin_;           // what the step under way began at, whatever is written meanwhile
  VectorXd unsampled_z_;  // before a tick
  State next_;            // what the last step left: differs from state_ where a user wrote
  std::vector<std::shared_ptr<StepObserver>> observers_;
  mutable InUse in_use_;
  bool is_within_step_ = false;  // then next_ is being made
  Report report_;
  double last_step_ = 0;
  StepSizes step_sizes_;
  HoldTally hold_tally_;
  DefectWatch defects_;
  std::unique_ptr<RepeatCheck> repeats_;
  EnergyWatch energy_watch_;
  bool has_contact_ = false;  // the method acts on contact, and measures work itself
  PowerMeter power_meter_;    // for methods that do not
  StepWork work_;             // for methods that do, since the audit began
  double start_elastic_ = 0;
  // What queries between steps computed: poses and velocities of the state last asked about, contacts.
  struct QueryCache;
  std::unique_ptr<QueryCache> cache_;
};

}  // namespace stickslip
