#include "stickslip/simulate/joint_defects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

constexpr double kStiff = 0.1, kSoft = 1;       // [rad], or bodies' sizes
constexpr double kShortest = 1e-3;              // [m]: a slide's body may be without matter
constexpr double kSlowest = 0.1, kPerUnit = 2;  // to close [s], and the same by what there is to close

// What a tenth of is much: a radian, or the size of the body that it moves.
double unit_of(const Model& model, int link) {
  const Link& own = model.links[link];
  if (own.kind != LinkKind::kPrismatic) return 1;
  const MassProperties& matter = own.inertia;
  const double size = matter.mass > 0 ? std::sqrt(matter.inertia.trace() / (1.2 * matter.mass)) : 0;
  return std::max(size, kShortest / kStiff);
}

int link_of_dof(const Model& model, int v) {
  for (size_t i = 1; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    if (v >= link.v_start && v < link.v_start + velocity_count(link.kind)) return static_cast<int>(i);
  }
  return 0;
}

double unit_of_tendon(const Model& model, int tendon) {
  double unit = 0;
  for (const TendonInfo::Term& term : model.tendons[tendon].terms)
    unit += std::abs(term.coefficient) * unit_of(model, link_of_dof(model, term.v));
  return unit;
}

double length_of(const TendonInfo& tendon, const VectorXd& q) {
  double length = 0;
  for (const TendonInfo::Term& term : tendon.terms) length += term.coefficient * q[term.q];
  return length;
}

// Measured from the references of its joints.
double coupled_value(const Model& model, const VectorXd& q, bool is_tendon, int index) {
  if (!is_tendon) {
    const JointInfo& joint = model.joints[index];
    return q[joint.q_start] - model.links[joint.link].reference;
  }
  double value = length_of(model.tendons[index], q);
  for (const TendonInfo::Term& term : model.tendons[index].terms)
    value -= term.coefficient * model.links[link_of_dof(model, term.v)].reference;
  return value;
}

double coupler_error(const Model& model, const VectorXd& q, const ConstraintInfo& info) {
  const Constraint& x = info.description;
  const double b = info.joint_b >= 0 ? coupled_value(model, q, x.couples_tendons, info.joint_b) : 0;
  double target = 0;
  for (size_t i = x.coefficients.size(); i-- > 0;) target = target * b + x.coefficients[i];
  return coupled_value(model, q, x.couples_tendons, info.joint_a) - target;
}

double limit_error(const TendonInfo& tendon, const VectorXd& q) {
  const double length = length_of(tendon, q);
  return length - std::clamp(length, tendon.limits.lower, tendon.limits.upper);
}

bool is_soft(const Constraint& x) { return x.stiffness || x.time_scale; }

bool is_slide(const Model& model, const ConstraintInfo& info) {
  return info.description.couples_tendons || model.links[model.joints[info.joint_a].link].kind == LinkKind::kPrismatic;
}

std::string name_of(const Model& model, const ConstraintInfo& info) {
  const Constraint& x = info.description;
  if (!x.name.empty()) return fmt::format("'{}'", x.name);
  const auto name = [&](int i) { return x.couples_tendons ? model.tendons[i].name : model.joints[i].name; };
  const char* what = x.couples_tendons ? "tendon" : "joint";
  return info.joint_b >= 0 ? fmt::format("of {}s '{}' and '{}'", what, name(info.joint_a), name(info.joint_b))
                           : fmt::format("of {} '{}'", what, name(info.joint_a));
}

}  // namespace

JointDefects::JointDefects(const Model& model) {
  for (size_t i = 0; i < model.constraints.size(); ++i) {
    const ConstraintInfo& info = model.constraints[i];
    const Constraint& x = info.description;
    if (x.kind != Constraint::Kind::kCoupler || !x.active || info.joint_a < 0) continue;
    const double unit =
        x.couples_tendons ? unit_of_tendon(model, info.joint_a) : unit_of(model, model.joints[info.joint_a].link);
    Held held;
    held.constraint = static_cast<int>(i);
    held.allowed = (is_soft(x) ? kSoft : kStiff) * unit;
    held_.push_back(held);
  }
  for (size_t i = 0; i < model.tendons.size(); ++i) {
    if (!model.tendons[i].limits.bounded()) continue;
    Held held;
    held.tendon = static_cast<int>(i);
    held.allowed = kStiff * unit_of_tendon(model, held.tendon);
    held_.push_back(held);
  }
}

void JointDefects::restart(double time) {
  start_ = time;
  for (Held& held : held_) {
    held.has_closed = false;
    held.start_error = -1;
  }
}

void JointDefects::forget() {
  for (Held& held : held_) held.worst = 0;
}

void JointDefects::look(const Model& model, const State& state) {
  for (Held& held : held_) {
    const double error = held.tendon >= 0 ? limit_error(model.tendons[held.tendon], state.q)
                                          : coupler_error(model, state.q, model.constraints[held.constraint]);
    const double size = std::abs(error);
    if (held.start_error < 0) held.start_error = size;
    held.has_closed =
        held.has_closed || size <= held.allowed || state.time - start_ > kSlowest + kPerUnit * held.start_error;
    if (!held.has_closed || size <= held.allowed || size <= std::abs(held.worst)) continue;
    held.worst = error;
    held.time = state.time;
  }
}

void JointDefects::add_warnings(const Model& model, std::vector<Warning>& warnings) const {
  for (const Held& held : held_) {
    if (held.worst == 0) continue;
    if (held.tendon >= 0) {
      const TendonInfo& tendon = model.tendons[held.tendon];
      const auto i = static_cast<size_t>(held.tendon);
      const Location where = i < model.scene->tendons.size() ? model.scene->tendons[i].where : Location();
      warnings.push_back(
          {"stretched-constraint", where,
           fmt::format("tendon '{}' was not held: at t = {:.6g} s it was {:.3g} beyond its limits; shorten the time "
                       "step or ask for more accuracy, or look at the forces that it has to hold",
                       tendon.name, held.time, std::abs(held.worst))});
      continue;
    }
    const ConstraintInfo& info = model.constraints[held.constraint];
    const char* advice = is_soft(info.description)
                             ? "raise its stiffness, unless it is meant to give way so far"
                             : "shorten the time step or ask for more accuracy, or look at the masses and forces that "
                               "it has to hold, and at limits that it runs against";
    warnings.push_back(
        {"stretched-constraint", info.description.where,
         fmt::format("constraint {} was not held: at t = {:.6g} s it was off by {:.3g}{}; {}", name_of(model, info),
                     held.time, std::abs(held.worst), is_slide(model, info) ? " m" : " rad", advice)});
  }
}

}  // namespace stickslip
