#include "stickslip/icf/rows.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "stickslip/icf/end_share.h"

namespace stickslip {

double NearRigid::stiffness(double h) const {
  const double frequency = 2 * std::numbers::pi / (beta * h);
  return mass * frequency * frequency;
}

double NearRigid::relaxation_time(double h) const { return beta * h / std::numbers::pi; }

NormalLaw<double> LimitSpec::law(double h) const {
  if (rigid.beta > 0) return relaxation_law(distance, h, rigid.stiffness(h), rigid.relaxation_time(h));
  return hunt_crossley_law(distance, h, stiffness, dissipation);
}

double LimitSpec::force() const { return hunt_crossley_force(distance, rate, stiffness, dissipation); }

LimitSpec LimitSpec::stepped_back(double h, double v) const {
  LimitSpec out = *this;
  out.distance -= h * v;
  return out;
}

ForceSpec ForceSpec::at_step(double h) const {
  ForceSpec out = *this;
  if (rigid.beta == 0) return out;
  const double k = rigid.stiffness(h);
  out.offset *= k;
  out.stiffness = k;
  out.damping = k * rigid.relaxation_time(h);
  out.rigid = {};
  return out;
}

double ForceSpec::force() const { return std::clamp(offset - damping * speed, lower, upper); }

// At constant rate the error of a constraint comes to what it is by the way that a straight line predicts: no
// curvature. On a curve that leaves the error open by as much as it comes off the line: no gap to be closed calmly.
// What is taken at the start of a step anyway is not stepped back.
ForceSpec ForceSpec::stepped_back(double h, double v) const {
  ForceSpec out = at_step(h);
  out.closing.slack = std::abs(bend(h));
  out.curvature = 0;
  if (h * out.stiffness + out.damping > 0) out.offset += h * out.stiffness * v;
  return out;
}

// What goes round on a radius r turns by some angle a in a step and comes off a straight line by r (1 - cos a): half of
// h^2 times the curvature while that is small, r on average when it is large. Without the bound, a body that turns by
// radians a step on a rope is thrown about by what grows with its speed squared.
double ForceSpec::bend(double h) const {
  const double angle = h * turning_rate;
  return 0.5 * h * h * curvature / (1 + 0.5 * angle * angle);
}

double LimitSpec::end_share(double h) const { return is_stiff ? 1 : stickslip::end_share(h, stiffness, 0, 1 / mass); }

double ForceSpec::end_share(double h) const {
  return is_stiff ? 1 : stickslip::end_share(h, stiffness, damping, 1 / mass);
}

ClampLaw ForceSpec::law(double h, double bend) const {
  if (rigid.beta > 0) return at_step(h).law(h, bend);
  const double c = h * stiffness + damping;
  if (c > 0) {
    ClosingGap open = closing;
    open.slack += std::abs(this->bend(h));  // what fast motion misses in a step has to be made up for as fast
    const ClosingGap::Factors close = stiffness > 0 ? open.factors(h, damping / stiffness) : ClosingGap::Factors();
    const double left_open = (1 - close.gap) * gap;
    return {(offset + (left_open - bend) * stiffness) / c, h * c * close.stiffness, h * lower, h * upper};
  }
  const double constant = h * std::clamp(offset - damping * speed, lower, upper);
  return {0 * constant, 1, constant, constant};  // a force that is no number stays one
}

namespace {

// A time scale that steps can tell is not stiff: the constraint swings on it.
constexpr double kShortestSwing = 1e-3;  // [s]

// The mass m swings with the period T: k = 4 pi^2 m/T^2, damped by 2 ratio sqrt(k m) = k ratio T/pi. If it is stiff it
// closes gaps calmly, but as published with T = beta h.
ForceSpec swinging_force(const ConstraintError& error, double mass, double T, double ratio, const TimeScales& scales) {
  const double frequency = 2 * std::numbers::pi / T;
  const double k = mass * frequency * frequency;
  const bool is_stiff = T < kShortestSwing;
  ClosingGap closing;
  if (is_stiff && scales.beta == 0) closing = closing_gap(error.size, scales.closing, error.unit);
  closing.speed *= std::sqrt(std::min(1.0, error.moved / mass));  // with no more energy than what there is at its speed
  return {.bias = error.bias,
          .offset = -k * error.value,
          .stiffness = k,
          .damping = k * ratio * T / std::numbers::pi,
          .lower = -kInfinity,
          .upper = kInfinity,
          .curvature = error.curvature,
          .turning_rate = error.turning_rate,
          .closing = closing,
          .is_stiff = is_stiff};
}

ForceSpec holonomic_force(const Softness& softness, const ConstraintError& error, double mass,
                          const TimeScales& scales) {
  if (softness.time_scale) return swinging_force(error, mass, *softness.time_scale, softness.damping_ratio, scales);
  if (scales.beta > 0)
    return {.bias = error.bias,
            .offset = -error.value,
            .lower = -kInfinity,
            .upper = kInfinity,
            .curvature = error.curvature,
            .turning_rate = error.turning_rate,
            .rigid = {mass, scales.beta},
            .is_stiff = true};
  return swinging_force(error, mass, scales.holonomic, 1, scales);
}

ForceSpec spring_force(double k, double damping, const ConstraintError& error) {
  return {.bias = error.bias,
          .offset = -k * error.value,
          .stiffness = k,
          .damping = damping,
          .lower = -kInfinity,
          .upper = kInfinity,
          .curvature = error.curvature,
          .turning_rate = error.turning_rate};
}

}  // namespace

ForceSpec constraint_force(const Softness& softness, const ConstraintError& error, double mass,
                           const TimeScales& scales) {
  ForceSpec out = softness.stiffness ? spring_force(*softness.stiffness, softness.dissipation.value_or(0), error)
                                     : holonomic_force(softness, error, mass, scales);
  out.gap = error.value;
  return out;
}

RowList::RowList(const Model& model) : places_(model.nv), tree_mass_(model.trees.size(), 0.0) {
  for (size_t i = 0; i < model.links.size(); ++i) {
    const Link& link = model.links[i];
    if (link.tree >= 0) tree_mass_[link.tree] += link.inertia.mass;
    for (int k = 0; k < velocity_count(link.kind); ++k)
      places_[link.v_start + k] = {link.tree, link.dof + k, -1, static_cast<int>(i)};
  }
  for (size_t i = 0; i < model.free_trees.size(); ++i) {
    const Link& link = model.links[model.trees[model.free_trees[i]].first_link];
    for (int k = 0; k < 6; ++k) places_[link.v_start + k].free_body = static_cast<int>(i);
  }
}

void RowList::clear() {
  entries.clear();
  limits.clear();
  forces.clear();
  gap_count = 0;
  tied_forces_.clear();
  pending_.clear();
}

double RowList::pending_rate(const VectorXd& v) const {
  double rate = 0;
  for (const Pending& x : pending_) rate += x.value * v[x.v];
  return rate;
}

void RowList::finish_limit(const Kinematics& kinematics, const MassMatrix& mass, const LimitSpec& spec) {
  const double moved = next_limit_mass();
  limits.push_back(spec);
  limits.back().mass = moved;
  limits.back().entries = finish_entries(kinematics, mass);
}

void RowList::finish_force(const Kinematics& kinematics, const MassMatrix& mass, const ForceSpec& spec) {
  const double moved = next_force_mass();
  forces.push_back(spec);
  forces.back().mass = moved;
  forces.back().entries = finish_entries(kinematics, mass);
}

namespace {

// A coefficient is a sum of what several bodies do to a row. Of terms that cancel, as those of a motion that two bodies
// have in common, round-off stays: it must not pass for a lever through which next to nothing moves a huge mass.
struct Coefficient {
  double sum = 0, terms = 0;

  void add(double term) {
    sum += term;
    terms += std::abs(term);
  }
  double value() const {
    constexpr double kRoundOff = 1e-13;
    return std::abs(sum) > kRoundOff * terms ? sum : 0;
  }
};

}  // namespace

// State::v of a lone free body is [v of its origin; w in its axes]; the problem's is [v of its centre of mass; w in
// world axes]. With v_o = v - w x r: a . v_o + b . w_B = a . v + (R b - r x a) . w
void RowList::finish_free_entries(const Kinematics& kinematics, const MassMatrix& mass, size_t first, size_t last) {
  const DofPlace& place = places_[pending_[first].v];
  std::array<Coefficient, 6> own;
  for (size_t i = first; i < last; ++i) own[places_[pending_[i].v].dof].add(pending_[i].value);
  const Vector3d a(own[0].value(), own[1].value(), own[2].value()), b(own[3].value(), own[4].value(), own[5].value());
  const Vector3d angular = kinematics.pose[place.link].R * b - mass.free_bodies[place.free_body].r.cross(a);
  for (int k = 0; k < 3; ++k) entries.push_back({place.tree, k, a[k]});
  for (int k = 0; k < 3; ++k) entries.push_back({place.tree, 3 + k, angular[k]});
}

IndexRange RowList::finish_entries(const Kinematics& kinematics, const MassMatrix& mass) {
  const auto key = [&](const Pending& x) { return std::pair(places_[x.v].tree, places_[x.v].dof); };
  std::sort(pending_.begin(), pending_.end(), [&](const Pending& x, const Pending& y) { return key(x) < key(y); });
  const int start = static_cast<int>(entries.size());
  for (size_t i = 0; i < pending_.size();) {
    const DofPlace& place = places_[pending_[i].v];
    size_t last = i + 1;
    if (place.free_body >= 0) {
      while (last < pending_.size() && places_[pending_[last].v].tree == place.tree) ++last;
      finish_free_entries(kinematics, mass, i, last);
    } else {
      Coefficient own;
      own.add(pending_[i].value);
      for (; last < pending_.size() && pending_[last].v == pending_[i].v; ++last) own.add(pending_[last].value);
      entries.push_back({place.tree, place.dof, own.value()});
    }
    i = last;
  }
  pending_.clear();
  return {start, static_cast<int>(entries.size()) - start};
}

// Their entries are the same degrees of freedom in any state.
void RowList::average_stiff_rows(const RowList& start) {
  const auto average = [&](const auto& specs) {
    for (const auto& spec : specs) {
      for (int i = spec.entries.first; spec.is_stiff && i < spec.entries.end(); ++i)
        entries[i].value = 0.5 * (entries[i].value + start.entries[i].value);
    }
  };
  average(limits);
  average(forces);
  for (size_t i = 0; i < forces.size(); ++i) {
    forces[i].gap = start.forces[i].gap;
    forces[i].closing = start.forces[i].closing;
  }
}

namespace {

Matrix6d free_mass(const FreeBodyMass& body) {
  Matrix6d M = Matrix6d::Zero();
  M.diagonal().head<3>().setConstant(body.mass);
  M.bottomRightCorner<3, 3>() = body.inertia();
  return M;
}

// What a unit of impulse along a row does.
struct Moved {
  double inverse_mass = 0;  // g M^-1 g': the rate of the row
  double fastest = 0;       // of its own coordinates

  double mass() const { return inverse_mass > 0 ? 1 / inverse_mass : kInfinity; }
  double unit() const {
    const double x = inverse_mass / fastest;
    return x > 0 && std::isfinite(x) ? x : 1;
  }
};

}  // namespace

// 1/(g M^-1 g') of each row. A row that moves nothing keeps the mass 1, if it is tied to no other.
void RowList::remember_masses(const Model& model, const MassMatrix& mass) {
  std::vector<MatrixXd> blocks(model.trees.size());
  for (int tree : model.articulated_trees) blocks[tree] = mass.block(tree);
  for (size_t i = 0; i < model.free_trees.size(); ++i) blocks[model.free_trees[i]] = free_mass(mass.free_bodies[i]);
  std::vector<Eigen::LDLT<MatrixXd>> factors(blocks.size());
  for (size_t tree = 0; tree < blocks.size(); ++tree)
    if (blocks[tree].size() > 0) factors[tree].compute(blocks[tree]);
  const auto measured = [&](const IndexRange& range) {
    Moved moved;
    for (int i = range.first; i < range.end();) {
      const int tree = entries[i].tree, first = i;
      VectorXd g = VectorXd::Zero(model.trees[tree].nv);
      for (; i < range.end() && entries[i].tree == tree; ++i) g[entries[i].dof] = entries[i].value;
      const VectorXd rates = factors[tree].solve(g);
      moved.inverse_mass += g.dot(rates);
      for (int k = first; k < i; ++k) {
        if (entries[k].value != 0) moved.fastest = std::max(moved.fastest, std::abs(rates[entries[k].dof]));
      }
    }
    return moved;
  };
  limit_mass_.clear();
  force_mass_.clear();
  force_unit_.clear();
  for (const LimitSpec& spec : limits) limit_mass_.push_back(measured(spec.entries).mass());
  for (const ForceSpec& spec : forces) {
    const Moved moved = measured(spec.entries);
    force_mass_.push_back(moved.mass());
    force_unit_.push_back(moved.unit());
  }
  for (const IndexRange& tied : tied_forces_) bound_tied_masses(tied, blocks);
  for (std::vector<double>* masses : {&limit_mass_, &force_mass_})
    std::replace_if(masses->begin(), masses->end(), [](double x) { return !std::isfinite(x); }, 1.0);
}

// What a coordinate moves by itself is a mass that is there, not the work of a short lever: a body that is welded to a
// point far below it is lighter sideways, where it may turn, than along the lever, by any factor.
void RowList::bound_tied_masses(const IndexRange& tied, std::span<const MatrixXd> blocks) {
  constexpr double kMostTimesTheLightest = 100;  // levers of a tenth count as such
  const std::span<double> masses(force_mass_.data() + tied.first, tied.count);
  double heaviest = kMostTimesTheLightest * *std::min_element(masses.begin(), masses.end());
  for (int row = tied.first; row < tied.end(); ++row) {
    const IndexRange& range = forces[row].entries;
    for (int i = range.first; i < range.end(); ++i) {
      const TreeEntry& entry = entries[i];
      if (entry.value != 0) heaviest = std::max(heaviest, blocks[entry.tree](entry.dof, entry.dof));
    }
  }
  for (double& x : masses) x = std::min(x, heaviest);
}

}  // namespace stickslip
