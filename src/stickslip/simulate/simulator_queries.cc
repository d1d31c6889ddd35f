// What a simulator answers about its state and its last step.
#include "stickslip/dynamics/energy.h"
#include "stickslip/simulate/check_input.h"
#include "stickslip/simulate/query_cache.h"
#include "stickslip/simulate/simulator.h"

namespace stickslip {

const Kinematics& Simulator::kinematics_of(const State& state) const {
  if (!cache_->fits(state)) {
    compute_poses(*model_, state, cache_->kinematics);
    compute_velocities(*model_, state, cache_->kinematics);
    cache_->state = state;
    cache_->filled = true;
  }
  return cache_->kinematics;
}

Simulator::Energy Simulator::energy_of(const State& state) const {
  const Kinematics& kinematics = kinematics_of(state);
  const double mechanical =
      stickslip::kinetic_energy(*model_, state, kinematics) + stickslip::potential_energy(*model_, state, kinematics);
  return {mechanical, elastic_energy_of(state, kinematics)};
}

ElasticEnergy Simulator::elastic_energy_of(const State& state, const Kinematics& kinematics) const {
  if (!has_contact_) return {};
  cache_->reach.assign(collision_model().geometries.size(), 0.0);
  find_contacts(collision_model(), kinematics, cache_->reach, cache_->overlapping, cache_->contacts);
  return cache_->elastic_energy.measure(collision_model(), kinematics, cache_->overlapping, state.grips);
}

// For whoever asks: what is written may be no configuration.
const Kinematics& Simulator::present() const {
  require_state(*model_, state_);
  return kinematics_of(state_);
}

Pose Simulator::body_pose(int body) const {
  const Reading hold(in_use_, "read a pose");
  return stickslip::body_pose(*model_, present(), body);
}

LinkVelocity Simulator::body_velocity(int body) const {
  const Reading hold(in_use_, "read a velocity");
  return stickslip::body_velocity(*model_, present(), body);
}

double Simulator::kinetic_energy() const {
  const Reading hold(in_use_, "read its energy");
  return stickslip::kinetic_energy(*model_, state_, present());
}

double Simulator::potential_energy() const {
  const Reading hold(in_use_, "read its energy");
  const Kinematics& kinematics = present();
  return stickslip::potential_energy(*model_, state_, kinematics) + elastic_energy_of(state_, kinematics).total();
}

// Once a step, when somebody asks.
void Simulator::read_results() const {
  if (cache_->results_read) return;
  stepper_->read_contacts(cache_->results);
  cache_->constraint_forces.resize(model_->nv);
  stepper_->method().read_constraint_forces(cache_->constraint_forces);
  cache_->results_read = true;
}

const std::vector<ContactResult>& Simulator::contacts() const {
  const Reading hold(in_use_, "read its contacts");
  read_results();
  return cache_->results;
}

const VectorXd& Simulator::constraint_forces() const {
  const Reading hold(in_use_, "read its constraint forces");
  read_results();
  return cache_->constraint_forces;
}

Wrench Simulator::contact_force(int body) const {
  const Reading hold(in_use_, "read its contacts");
  Wrench wrench;
  const Vector3d origin = body_pose(body).position;
  for (const ContactResult& contact : contacts()) {
    if (contact.body_a != body && contact.body_b != body) continue;
    const Vector3d force = contact.body_b == body ? contact.force : Vector3d(-contact.force);
    wrench.f += force;
    wrench.n += (contact.point - origin).cross(force);
  }
  return wrench;
}

const CollisionModel& Simulator::collision_model() const {
  const Reading hold(in_use_, "ask for its geometry");
  if (!cache_->collision) cache_->collision = std::make_shared<const CollisionModel>(make_collision_model(*model_));
  return *cache_->collision;
}

std::optional<BodyDistance> Simulator::distance(int body_a, int body_b) const {
  const Reading hold(in_use_, "measure a distance");
  return body_distance(collision_model(), present(), body_a, body_b);
}

std::optional<SceneRayHit> Simulator::raycast(const Vector3d& origin, const Vector3d& direction, double max_distance,
                                              int ignored_body) const {
  const Reading hold(in_use_, "cast a ray");
  const double length = direction.norm();
  if (!(length > 0) || !std::isfinite(length) || !origin.allFinite())
    throw std::invalid_argument("a ray needs a finite origin and a direction that is not zero");
  return cast_ray(collision_model(), present(), {origin, direction / length, max_distance}, ignored_body);
}

std::vector<BodyOverlap> Simulator::overlaps() const {
  const Reading hold(in_use_, "find overlaps");
  std::vector<BodyOverlap> overlaps;
  find_overlaps(collision_model(), present(), overlaps, cache_->contacts);
  return overlaps;
}

}  // namespace stickslip
