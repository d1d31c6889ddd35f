#include "stickslip/simulate/defects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/collision_model.h"
#include "stickslip/icf/closing_gap.h"

namespace stickslip {
namespace {

// Parts of a rope's length, or of a body's size, that a constraint may be off.
constexpr double kStiff = 0.1, kSoft = 1;
constexpr double kLeastTimeToClose = 0.1;  // [s]
constexpr double kTimesToClose = 1.5;      // how much longer than it should take a gap may take to close
constexpr double kShortest = 1e-3;         // [m] what is off by less is nobody's business

// Deeper than before by this factor, or so many steps later, overlaps are looked at again.
constexpr double kDeeper = 1.1;
constexpr int kSeldom = 64;
constexpr size_t kMostPairs = 20;  // that are told of

// As far as its matter reaches, roughly: of a ball, its radius.
double size_of(const BodyInfo& body) {
  const MassProperties& matter = body.inertia;
  return matter.mass > 0 ? std::sqrt(matter.inertia.trace() / (1.2 * matter.mass)) : 0;
}

double allowed_depth(const CollisionGeometry& geometry) {
  if (!geometry.is_convex || geometry.collider.kind == ColliderKind::kHalfSpace) return kInfinity;
  return (geometry.is_mobile ? 0.5 : 1.0) * (geometry.collider.box.upper - geometry.collider.box.lower).minCoeff();
}

bool is_soft(const Constraint& x) { return x.stiffness || x.time_scale; }

// How far it is from held: by what a rope is too long, or the gap of two points.
double error_of(const ConstraintInfo& constraint, const Model& model, const Kinematics& kinematics) {
  const Constraint& x = constraint.description;
  const Pose a = body_pose(model, kinematics, constraint.body_a) * x.pose_a;
  const Pose b = body_pose(model, kinematics, constraint.body_b) * x.pose_b;
  const double distance = (b.position - a.position).norm();
  return x.kind == Constraint::Kind::kDistance ? distance - x.length : distance;
}

// Many constraints of MJCF have no name.
std::string name_of(const ConstraintInfo& constraint, const Model& model) {
  if (!constraint.description.name.empty()) return fmt::format("'{}'", constraint.description.name);
  return fmt::format("of bodies '{}' and '{}'", model.bodies[constraint.body_a].name,
                     model.bodies[constraint.body_b].name);
}

}  // namespace

DefectWatch::DefectWatch(const Model& model, const CollisionModel* collision)
    : joints_(model), allowed_depth_(model.bodies.size(), kInfinity) {
  if (!collision) return;
  for (size_t i = 0; i < model.constraints.size(); ++i) {
    const ConstraintInfo& info = model.constraints[i];
    const Constraint& x = info.description;
    const BodyInfo &a = model.bodies[info.body_a], &b = model.bodies[info.body_b];
    if (!x.active || x.kind == Constraint::Kind::kCoupler || a.mocap >= 0 || b.mocap >= 0) continue;
    const double size = x.kind == Constraint::Kind::kDistance ? x.length : std::max(size_of(a), size_of(b));
    const double allowed = std::max(kShortest, (is_soft(x) ? kSoft : kStiff) * size);
    held_.push_back({.constraint = static_cast<int>(i),
                     .size = size,
                     .allowed = allowed,
                     .has_closed = false,
                     .time_to_close = 0,
                     .worst = {}});
  }
  for (const CollisionGeometry& geometry : collision->geometries) {
    double& body = allowed_depth_[geometry.body];
    const double own = allowed_depth(geometry);
    body = std::isinf(body) ? own : std::max(body, own);
  }
  for (double body : allowed_depth_) thinnest_ = std::min(thinnest_, body);
}

void DefectWatch::restart(const Model& model, const State& state) {
  joints_.restart(state.time);
  start_ = state.time;
  looked_at_ = skipped_ = 0;
  if (held_.empty()) return;
  compute_poses(model, state, kinematics_);
  for (Held& held : held_) {
    const double gap = std::abs(error_of(model.constraints[held.constraint], model, kinematics_));
    held.has_closed = false;
    held.time_to_close = std::max(kLeastTimeToClose, kTimesToClose * ClosingSpeeds().time_to_close(gap));
  }
}

void DefectWatch::forget() {
  joints_.forget();
  for (auto& [_, worst] : deep_) worst = {};  // with its memory: the same pairs are likely to come again
  for (Held& held : held_) held.worst = {};
}

void DefectWatch::look_at_constraints(const Model& model, const State& state) {
  if (held_.empty()) return;
  compute_poses(model, state, kinematics_);
  for (Held& held : held_) {
    const double error = error_of(model.constraints[held.constraint], model, kinematics_);
    held.has_closed = held.has_closed || std::abs(error) <= held.allowed || state.time - start_ > held.time_to_close;
    if (!held.has_closed) continue;
    if (std::abs(error) > held.allowed && std::abs(error) > std::abs(held.worst.amount))
      held.worst = {error, state.time};
  }
}

void DefectWatch::look_at_overlaps(const CollisionModel& collision, const State& state, ContactWorkspace& workspace) {
  no_reach_.assign(collision.geometries.size(), 0.0);
  find_contacts(collision, kinematics_, no_reach_, overlapping_, workspace);
  for (const ContactPatch& patch : overlapping_.patches) {
    double depth = 0;
    for (int i = patch.first; i < patch.first + patch.count; ++i) depth = std::max(depth, -overlapping_.distance[i]);
    if (depth <= std::min(allowed_depth_[patch.body_a], allowed_depth_[patch.body_b])) continue;
    const std::pair<int, int> bodies{patch.body_a, patch.body_b};
    if (deep_.size() >= kMostPairs && !deep_.contains(bodies)) {  // the deepest are told of
      const auto least = std::min_element(
          deep_.begin(), deep_.end(), [](const auto& x, const auto& y) { return x.second.amount < y.second.amount; });
      if (least->second.amount >= depth) continue;
      auto freed = deep_.extract(least);  // with its memory
      freed.key() = bodies;
      freed.mapped() = {};
      deep_.insert(std::move(freed));
    }
    Worst& worst = deep_[bodies];
    if (depth > worst.amount) worst = {depth, state.time};
  }
}

void DefectWatch::look(const Model& model, const CollisionModel& collision, const State& state, double overlap,
                       ContactWorkspace& workspace) {
  joints_.look(model, state);
  look_at_constraints(model, state);
  if (overlap <= thinnest_ || (overlap <= kDeeper * looked_at_ && ++skipped_ < kSeldom)) return;
  looked_at_ = std::max(looked_at_, overlap);
  skipped_ = 0;
  if (held_.empty()) compute_poses(model, state, kinematics_);
  look_at_overlaps(collision, state, workspace);
}

void DefectWatch::add_warnings(const Model& model, std::vector<Warning>& warnings) const {
  for (const Held& held : held_) {
    const auto& [amount, time] = held.worst;
    if (amount == 0) continue;
    const Constraint& x = model.constraints[held.constraint].description;
    const std::string what =
        x.kind == Constraint::Kind::kDistance
            ? fmt::format("its points were {:.3g} m apart, where it is {:.3g} m long", x.length + amount, x.length)
            : fmt::format("its points were {:.3g} m apart, on bodies of {:.3g} m", amount, held.size);
    const std::string advice = is_soft(x) ? "raise its stiffness, unless it is meant to give way so far"
                                          : "shorten the time step or ask for more accuracy, or look at the masses "
                                            "and forces that it has to hold";
    warnings.push_back({"stretched-constraint", x.where,
                        fmt::format("constraint {} was not held: at t = {:.6g} s {}; {}",
                                    name_of(model.constraints[held.constraint], model), time, what, advice)});
  }
  joints_.add_warnings(model, warnings);
  for (const auto& [bodies, worst] : deep_) {
    if (worst.amount == 0) continue;
    const BodyInfo &a = model.bodies[bodies.first], &b = model.bodies[bodies.second];
    const double allowed = std::min(allowed_depth_[bodies.first], allowed_depth_[bodies.second]);
    warnings.push_back(
        {"deep-overlap", b.where,
         fmt::format(
             "bodies '{}' and '{}' were {:.3g} m deep in each other at t = {:.6g} s, beyond the {:.3g} m to the "
             "middle, or "
             "through the wall, of the thinner one; shorten the time step or ask for more accuracy, stiffen their "
             "material, or say that they do not collide",
             a.name, b.name, worst.amount, worst.time, allowed)});
  }
}

}  // namespace stickslip
