#pragma once

#include <atomic>
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
#include "stickslip/simulate/power_meter.h"
#include "stickslip/simulate/report.h"
#include "stickslip/simulate/simulator_options.h"
#include "stickslip/simulate/step_observer.h"
#include "stickslip/state/state.h"
#include "stickslip/step/method.h"
#include "stickslip/systems/evaluate_systems.h"

namespace stickslip {

// A model, a state and a method: simulation step by step.
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

  // The state may be written between steps; the next call sees it.
  const State& state() const { return state_; }
  State& state() { return state_; }
  double time() const { return state_.time; }
  double last_step() const { return last_step_; }  // size of the last accepted one [s]; 0 before the first
  // Continues from a saved state bit for bit. The sizes must be the model's; else std::invalid_argument.
  void set_state(const State& state);
  void reset();  // to the start

  // Adds an external system, whose states join the end of state().z at their start. Throws std::invalid_argument if it
  // does not fit the model.
  void add(std::shared_ptr<const System> system);
  const SystemList& systems() const { return *systems_; }

  // Tells it of every step from now on, until forgotten. Copies of the simulator are not watched.
  void observe(std::shared_ptr<StepObserver> observer);
  void forget(const StepObserver& observer);
  bool is_stepping() const { return is_stepping_; }  // perhaps in another thread: then ask it nothing

  Pose body_pose(int body) const;
  LinkVelocity body_velocity(int body) const;
  double kinetic_energy() const;
  double potential_energy() const;  // gravity + springs + elastic contact
  Report report() const;

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
  Status attempt(double end, StepRecord& record);
  Status tell_observers(double target, const StepRecord& record);
  const Kinematics& kinematics_of(const State& state) const;
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
  void set_systems(std::shared_ptr<const SystemList> systems);

  std::shared_ptr<const Model> model_;
  SimulatorOptions options_;
  std::string method_name_;
  std::unique_ptr<Stepper> stepper_;
  std::shared_ptr<const SystemList> systems_;
  std::unique_ptr<SystemEvaluator> sampler_;  // asks systems with ticks
  State state_;
  std::vector<VectorXd> outgrown_z_;  // memory that state_.z had before systems were added: users hold views into it
  State next_;                        // what the last step left: differs from state_ where a user wrote
  std::vector<std::shared_ptr<StepObserver>> observers_;
  std::atomic<bool> is_stepping_ = false;
  Report report_;
  double last_step_ = 0;
  StepSizes step_sizes_;
  bool has_contact_ = false;  // the method acts on contact, and measures work itself
  PowerMeter power_meter_;    // for methods that do not
  StepWork work_;             // for methods that do, since the audit began
  double start_elastic_ = 0;
  // What queries between steps computed: poses and velocities of the state last asked about, contacts.
  struct QueryCache;
  std::unique_ptr<QueryCache> cache_;
};

}  // namespace stickslip
