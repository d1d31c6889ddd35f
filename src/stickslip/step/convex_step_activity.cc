// What error control asks of a convex step: what acted and how, and how long a step can be trusted.

#include "stickslip/step/convex_step.h"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// Names one thing that acts in one mode; spreads over all bits, so that sums of such names tell sets apart.
std::uint64_t mode_name(std::uint64_t what, std::uint64_t which, ContactMode mode) {
  std::uint64_t x = (what << 34) ^ (which << 2) ^ static_cast<std::uint64_t>(mode);
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

}  // namespace

// Whether the surfaces did not touch at the start. The trapezoid rule can tell soft ones; to it, it is an impact too if
// stiff ones are still being stopped: the mean velocity of the step would at least double the overlap.
template <template <typename> class ContactLaw>
bool ConvexStep<ContactLaw>::is_hit(int i) const {
  const ContactTerms& terms = last_->terms.contacts[problem_.contacts[i].source];
  if (weighs_ends_ && terms.end_share(problem_.h) < 1) return false;
  if (terms.distance > 0 || !weighs_ends_) return terms.distance > 0;
  const auto& contacts = std::get<0>(solver_.potentials);
  return 0.5 * problem_.h * (contacts.velocity(i).z() - contacts.start_velocity(i).z()) > -terms.distance;
}

template <template <typename> class ContactLaw>
void ConvexStep<ContactLaw>::read_activity(std::vector<TreeActivity>& out) const {
  out.assign(model_.trees.size(), {});
  for (size_t i = 0; i < problem_.islands.size(); ++i) {
    const IndexRange& nodes = problem_.islands[i].nodes;
    for (int n = nodes.first; n < nodes.end(); ++n) out[problem_.nodes[n].tree].island = static_cast<int>(i);
  }
  const auto act_on = [&](int node, std::uint64_t name, bool drives = true) {
    if (node < 0) return;
    TreeActivity& tree = out[problem_.nodes[node].tree];
    tree.is_acted_on = true;
    tree.is_driven = tree.is_driven || drives;
    tree.modes += name;
  };
  const auto& [contacts, limits, forces] = solver_.potentials;
  const ContactSet& set = last_->contacts;
  for (const Patch& patch : problem_.patches) {
    const PatchTerms& terms = last_->terms.patches[patch.source];
    for (int i = patch.first; i < patch.first + patch.count; ++i) {
      const int source = problem_.contacts[i].source;
      const ContactMode mode = this->mode(i);
      // Friction that lags is of the normal force at the start: it is still there as surfaces part. Against what no
      // force moves it is nobody's loss if it is left out; of two bodies both have it or none. What would not part
      // without it, though, does not fly: it would get deeper and deeper into what it touches.
      const bool is_mutual = patch.a.node >= 0 && patch.b.node >= 0;
      const bool parts = set.distance[source] + problem_.h * contacts.start_velocity(i).z() >= 0;
      if (mode == ContactMode::kOpen && ((!is_mutual && parts) || contacts.impulse(i).isZero(0))) continue;
      const auto a = static_cast<std::uint64_t>(set.geometry_a[set.pair[source]]);
      const auto b = static_cast<std::uint64_t>(set.geometry_b[set.pair[source]]);
      const std::uint64_t name = mode_name(1 + a, mode_name(b, set.feature[source], ContactMode::kOpen), mode);
      act_on(patch.a.node, name);
      if (patch.b.node != patch.a.node) act_on(patch.b.node, name);
      for (int node : {patch.a.node, patch.b.node})
        if (node >= 0 && mode != ContactMode::kOpen && is_hit(i)) out[problem_.nodes[node].tree].is_hit = true;
      if (!kRemembers<ContactLaw> || mode != ContactMode::kStick || terms.carrier_a == terms.carrier_b) continue;
      for (int node : {patch.a.node, patch.b.node})
        if (node >= 0) out[problem_.nodes[node].tree].is_carried = true;
    }
  }
  const auto act_along = [&](const Row& row, std::uint64_t name, bool drives = true) {
    for (int e = row.first; e < row.first + row.count; ++e) act_on(problem_.entries[e].node, name, drives);
  };
  for (size_t i = 0; i < problem_.limit_rows.size(); ++i) {
    if (limits.impulse(static_cast<int>(i)) > 0)
      act_along(problem_.limit_rows[i], mode_name(0, problem_.limit_rows[i].source, ContactMode::kStick));
  }
  // Rows that can saturate.
  for (size_t i = 0; i < problem_.force_rows.size(); ++i) {
    const ClampLaw& law = forces.laws[i];
    const double impulse = forces.impulse(static_cast<int>(i));
    const bool saturated = !(impulse > law.lower && impulse < law.upper);
    const Row& row = problem_.force_rows[i];
    const ForceSpec& spec = last_->rows.forces[row.source];
    const bool holds_at_rest = spec.is_stiff && spec.kind == RowKind::kConstraint && row.bias == 0;
    act_along(row, mode_name(~0U, row.source, saturated ? ContactMode::kSlip : ContactMode::kStick),
              !holds_at_rest && impulse != 0);
    if (!spec.is_stiff) continue;
    for (int e = row.first; e < row.first + row.count; ++e)
      out[problem_.nodes[problem_.entries[e].node].tree].is_constrained = true;
  }
  systems_.add_activity(out);
}

namespace {

// A surface counts as hit from afar if it was farther away than this part of the smaller body's radius, and is then
// trusted if the way there is at most that part.
constexpr double kNear = 0.02, kShortWay = 0.25;

// How much a body may turn in a step if a surface is within its reach [rad]: points of it are taken to move straight,
// which misses half the square of this, in radii.
constexpr double kSmallTurn = 0.3;

// The same of a lone body that ropes and pins hold [rad]. Beyond, what two half steps and a whole one differ by says
// nothing of what all three miss, and energy grows from step to step.
constexpr double kHeldTurn = 0.5;

}  // namespace

// A contact is a plane to the solve. Over a long way the plane is not the surface: a body may be stopped by a wall that
// it would have passed by.
template <template <typename> class ContactLaw>
double ConvexStep<ContactLaw>::trusted_hits() const {
  double trusted = kInfinity;
  const auto& contacts = std::get<0>(solver_.potentials);
  const ContactSet& set = last_->contacts;
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const int source = problem_.contacts[i].source;
    if (source < 0 || !(set.distance[source] > 0) || !(contacts.impulse(static_cast<int>(i)).z() > 0)) continue;
    const int pair = set.pair[source];
    const double a = collision_->geometries[set.geometry_a[pair]].radius;
    const double b = collision_->geometries[set.geometry_b[pair]].radius;
    if (std::isinf(a) || std::isinf(b)) continue;  // a half-space is a plane
    const double size = std::min(a, b);
    const double speed = contacts.start_velocity(static_cast<int>(i)).norm();
    if (set.distance[source] > kNear * size && problem_.h * speed > kShortWay * size)
      trusted = std::min(trusted, kShortWay * size / speed);
  }
  return trusted;
}

// A body that turns fast past a surface is looked at often. What was pushed farther than its velocity at the start let
// expect may have met surfaces that nobody looked at.
template <template <typename> class ContactLaw>
double ConvexStep<ContactLaw>::trusted_reach() {
  double trusted = kInfinity;
  has_candidate_.assign(problem_.nodes.size(), 0);
  for (const Patch& patch : problem_.patches) {
    if (patch.a.node >= 0) has_candidate_[patch.a.node] = 1;
    if (patch.b.node >= 0) has_candidate_[patch.b.node] = 1;
  }
  for (size_t i = 0; i < collision_->geometries.size(); ++i) {
    const CollisionGeometry& geometry = collision_->geometries[i];
    const int tree = model_.links[geometry.link].tree;
    if (!geometry.is_mobile || !model_.trees[tree].is_free_body) continue;
    const Node& node = problem_.nodes[problem_builder_.node_of_tree(tree)];
    const auto v = v_.segment<3>(node.start), w = v_.segment<3>(node.start + 3);
    const Vector3d arm = last_->equations.kinematics.pose[geometry.link].R *
                         (geometry.center - model_.links[geometry.link].inertia.center);
    const double speed = (v + w.cross(arm)).norm() + w.norm() * geometry.radius;
    if (problem_.h * speed - last_->reach[i] > kShortWay * geometry.radius)
      trusted = std::min(trusted, 0.5 * problem_.h);
    const bool turns_in_place = geometry.collider.kind == ColliderKind::kSphere && arm.isZero(1e-9);
    if (has_candidate_[&node - problem_.nodes.data()] && !turns_in_place && problem_.h * w.norm() > kSmallTurn)
      trusted = std::min(trusted, kSmallTurn / w.norm());
  }
  return trusted;
}

// A body that turns fast on what holds it is looked at often.
template <template <typename> class ContactLaw>
double ConvexStep<ContactLaw>::trusted_turn() const {
  double fastest = 0;
  for (const Row& row : problem_.force_rows) {
    if (!last_->rows.forces[row.source].is_stiff) continue;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Node& node = problem_.nodes[problem_.entries[e].node];
      if (model_.trees[node.tree].is_free_body)
        fastest = std::max(fastest, v_.segment<3>(node.start + 3).squaredNorm());
    }
  }
  fastest = std::sqrt(fastest);
  return problem_.h * fastest > kHeldTurn ? kHeldTurn / fastest : kInfinity;
}

// Surfaces come nearer by s t + g t^2 in a solve of the time t: s is their speed, g the most that gravity adds.
template <template <typename> class ContactLaw>
double ConvexStep<ContactLaw>::time_before_hit() const {
  double first = kInfinity;
  const auto& contacts = std::get<0>(solver_.potentials);
  const double g = model_.gravity.norm();
  for (size_t i = 0; i < problem_.contacts.size(); ++i) {
    const int source = problem_.contacts[i].source;
    if (source < 0 || !(contacts.impulse(static_cast<int>(i)).z() > 0)) continue;
    const double gap = last_->contacts.distance[source], speed = -contacts.start_velocity(static_cast<int>(i)).z();
    if (!(gap > 0) || !(speed > 0)) continue;
    first = std::min(first, 2 * gap / (speed + std::sqrt(speed * speed + 4 * g * gap)));
  }
  return first;
}

template <template <typename> class ContactLaw>
double ConvexStep<ContactLaw>::trusted_step() {
  const double carried = problem_builder_.are_carriers_resolved() ? kInfinity : 0.5 * problem_.h;
  return std::min({trusted_hits(), trusted_reach(), trusted_turn(), carried});
}

template class ConvexStep<LaggedModel>;
template class ConvexStep<AnchoredModel>;
template class ConvexStep<SimilarModel>;
template class ConvexStep<SapModel>;

}  // namespace stickslip
