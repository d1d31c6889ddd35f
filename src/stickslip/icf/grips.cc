#include "stickslip/icf/grips.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "stickslip/geometry/surface_velocity.h"
#include "stickslip/icf/contact_frame.h"
#include "stickslip/math/rotation.h"

namespace stickslip {
namespace {

// Normals of one and the same contact differ by less than this from one step to the next [cosine].
constexpr double kSameNormal = 0.7;

// Points nearer to their centre than this part of the roller's size do not resist a twist.
constexpr double kLeastSpread = 1e-5;

// Points that spread by less than this part of the way that the centre of pressure went are too narrow to hold it.
constexpr double kNarrow = 0.1;

// How far the spring of a point that slips may be stretched while others of its grip still hold, in yields. The grip as
// a whole stays where it is only if its slipping points lose nothing in each step.
constexpr double kWindUp = 4;

auto geometries_of(const Grip& grip) { return std::tuple(grip.geometry_a, grip.geometry_b); }

Vector3d tangential(const Vector3d& x, const Vector3d& normal) { return x - x.dot(normal) * normal; }

// The rotation vector that takes Q0 to Q1.
Vector3d rotation_between(const Matrix3d& Q0, const Matrix3d& Q1) {
  const Matrix3d R = Q1 * Q0.transpose();
  const Vector3d sine = 0.5 * Vector3d(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
  const double squared = sine.squaredNorm();
  constexpr double kSmall = 1e-6;
  if (squared < kSmall && R.trace() > 0) return (1 + squared * (1.0 / 6 + squared * (3.0 / 40))) * sine;
  return log_quaternion(Quaterniond(R));
}

// A vector of the plane across `from` in the plane across `to`, turned along the shortest arc.
Vector3d carried(const Vector3d& x, const Vector3d& from, const Vector3d& to) {
  const double cosine = from.dot(to);
  const Vector3d axis = from.cross(to);
  return x + axis.cross(x) + axis.cross(axis.cross(x)) / (1 + cosine);
}

// Which of two geometries is the ground, which the roller, and where the roller is.
struct Sides {
  int ground = 0;  // link
  bool b_rolls = true;
  double roller_radius = 0;
  Vector3d position;
  Matrix3d rotation;

  Sides(const CollisionModel& collision, const Kinematics& kinematics, const Grip& grip) {
    const CollisionGeometry &a = collision.geometries[grip.geometry_a], &b = collision.geometries[grip.geometry_b];
    b_rolls = b.radius <= a.radius;
    const CollisionGeometry& roller = b_rolls ? b : a;
    ground = b_rolls ? a.link : b.link;
    roller_radius = roller.radius;
    const LinkPose &X_ground = kinematics.pose[ground], &X_roller = kinematics.pose[roller.link];
    position = X_ground.R.transpose() * (X_roller.p + X_roller.R * roller.center - X_ground.p);
    rotation = X_ground.R.transpose() * X_roller.R;
  }
};

// The contacts from `first` on that belong to one grip.
int count_contacts(const ContactSet& contacts, const ContactPatch& patch, int first) {
  int end = first + 1;
  while (end < patch.first + patch.count && contacts.pair[end] == contacts.pair[first] &&
         contacts.normal[end] == contacts.normal[first])
    ++end;
  return end - first;
}

// Fills share[] of the grip's contacts: by load; by their weights where there is none. Returns the load.
double share_load(const GripQuery& query, int first, int count, std::vector<double>& share) {
  double load = 0, weight = 0;
  for (int i = first; i < first + count; ++i) {
    load += query.load[i];
    weight += query.contacts.weight[i];
  }
  for (int i = first; i < first + count; ++i)
    share[i] = load > 0 ? query.load[i] / load : weight > 0 ? query.contacts.weight[i] / weight : 1.0 / count;
  return load;
}

// Where the two geometries and their contact are now, without any memory.
GripTerms fresh_grip(const GripQuery& query, int first, int count, const std::vector<double>& share) {
  const ContactSet& contacts = query.contacts;
  const int pair = contacts.pair[first];
  GripTerms terms;
  terms.first = first;
  terms.count = count;
  Grip& grip = terms.grip;
  grip.geometry_a = contacts.geometry_a[pair];
  grip.geometry_b = contacts.geometry_b[pair];
  const Sides sides(query.collision, query.kinematics, grip);
  terms.sign = sides.b_rolls ? 1 : -1;
  terms.ground = sides.ground;
  grip.position = sides.position;
  grip.rotation = sides.rotation;
  const LinkPose& X_ground = query.kinematics.pose[sides.ground];
  const Matrix3d to_ground = X_ground.R.transpose();
  grip.normal = to_ground * contacts.normal[first];
  Vector3d center = Vector3d::Zero();
  for (int i = first; i < first + count; ++i) center += share[i] * contacts.point[i];
  grip.center = to_ground * (center - X_ground.p);
  for (int i = first; i < first + count; ++i)
    terms.spread += share[i] * tangential(contacts.point[i] - center, contacts.normal[first]).squaredNorm();
  const double least = kLeastSpread * sides.roller_radius;
  if (count == 1 || !(terms.spread > least * least)) terms.spread = 0;
  for (int i = first; i < first + count; ++i)
    terms.stiffness += contacts.weight[i] * contacts.material[pair].stiffness_at(-contacts.distance[i]);
  terms.belt = terms.sign * (to_ground * surface_velocity(query.collision, query.kinematics, grip.geometry_a,
                                                          grip.geometry_b, contacts.normal[first]));
  return terms;
}

// The memory of the same two geometries whose normal is nearest; nullptr if there is none.
const Grip* find_memory(std::span<const Grip> memory, const Grip& grip) {
  const auto before = [](const Grip& x, const Grip& y) { return geometries_of(x) < geometries_of(y); };
  const auto [begin, end] = std::equal_range(memory.begin(), memory.end(), grip, before);
  const Grip* nearest = nullptr;
  double largest = kSameNormal;
  for (auto it = begin; it != end; ++it) {
    const double cosine = it->normal.dot(grip.normal);
    if (cosine <= largest) continue;
    largest = cosine;
    nearest = &*it;
  }
  return nearest;
}

// Where points spread in the direction in which the centre of pressure went, it went from some of them to others: the
// displacement there is that of the same rigid motion. Where they do not, as under a wheel, the contact rolled on.
Vector3d shift_within(const GripQuery& query, const GripTerms& terms, const std::vector<double>& share,
                      const Vector3d& way) {
  const double small = kNarrow * kNarrow * way.squaredNorm();
  if (!(small > 0)) return Vector3d::Zero();
  const LinkPose& X = query.kinematics.pose[terms.ground];
  const Vector3d x = tangent_of(terms.grip.normal), y = terms.grip.normal.cross(x);
  double xx = 0, xy = 0, yy = 0;  // how the points spread
  for (int i = terms.first; i < terms.first + terms.count; ++i) {
    const Vector3d r = X.R.transpose() * (query.contacts.point[i] - X.p) - terms.grip.center;
    const double rx = r.dot(x), ry = r.dot(y);
    xx += share[i] * rx * rx;
    xy += share[i] * rx * ry;
    yy += share[i] * ry * ry;
  }
  const double half = 0.5 * (xx - yy), wide = 0.5 * (xx + yy) + std::sqrt(half * half + xy * xy);
  const double narrow = wide > 0 ? std::max(0.0, (xx * yy - xy * xy) / wide) : 0;
  Vector2d widest = xx > yy ? Vector2d(wide - yy, xy) : Vector2d(xy, wide - xx);
  widest = widest.squaredNorm() > 0 ? widest.normalized() : Vector2d(1, 0);
  const Vector3d along = widest.x() * x + widest.y() * y, across = terms.grip.normal.cross(along);
  return wide / (wide + small) * way.dot(along) * along + narrow / (narrow + small) * way.dot(across) * across;
}

// What the grip was at its old poses, carried to those of now. A pair that turns together does not strain it; nor does
// the roller when it rolls, however far in one step: its centre moves by as much as turning takes its surface back.
void carry(const Grip& old, const GripQuery& query, const std::vector<double>& share, GripTerms& terms) {
  Grip& grip = terms.grip;
  const Vector3d way = grip.position - old.position, turn = rotation_between(old.rotation, grip.rotation);
  const Vector3d arm = 0.5 * ((grip.center - grip.position) + (old.center - old.position));
  const Vector3d& n = grip.normal;
  const double spin = turn.dot(n);
  grip.displacement = carried(old.displacement, old.normal, n);
  if (spin != 0) {  // half of it: as seen from the middle between ground and roller
    const double c = std::cos(0.5 * spin), s = std::sin(0.5 * spin);
    grip.displacement = c * grip.displacement + s * n.cross(grip.displacement);
  }
  grip.displacement += way + turn.cross(arm);
  if (terms.spread > 0) {
    // The twist is the one on the way, as the arm is: loads that go to and fro while bodies turn to and fro leave
    // nothing.
    const double twist = old.twist + 0.5 * spin;
    if (twist != 0) {
      const Vector3d shift = tangential(grip.center - old.center - 0.5 * way, n);
      grip.displacement += twist * n.cross(shift_within(query, terms, share, shift));
    }
    grip.twist = old.twist + spin;
  }
  grip.displacement = tangential(grip.displacement, n);
  grip.slip = old.slip;
  grip.slip_twist = old.slip_twist;
  grip.sticks = old.sticks;
}

}  // namespace

void find_grips(const GripQuery& query, std::vector<GripTerms>& grips, std::vector<double>& share) {
  const ContactSet& contacts = query.contacts;
  grips.clear();
  share.assign(static_cast<size_t>(contacts.size()), 0.0);
  for (const ContactPatch& patch : contacts.patches) {
    for (int first = patch.first; first < patch.first + patch.count;) {
      const int count = count_contacts(contacts, patch, first);
      const int run = std::exchange(first, first + count);
      if (share_load(query, run, count, share) == 0 && !query.with_unloaded) continue;
      GripTerms terms = fresh_grip(query, run, count, share);
      if (const Grip* old = find_memory(query.memory, terms.grip)) carry(*old, query, share, terms);
      grips.push_back(terms);
    }
  }
}

void move_grips(const CollisionModel& collision, const Kinematics& before, const Kinematics& after,
                std::span<Grip> grips) {
  for (Grip& grip : grips) {
    const Sides from(collision, before, grip), to(collision, after, grip);
    grip.position += to.position - from.position;
    grip.rotation = to.rotation * from.rotation.transpose() * grip.rotation;
  }
}

namespace {

// Springs that are strained beyond what the load of now could hold, and hold by their damping alone, lose the excess
// before the step: taken after it, by the load before it, no difference between long and short steps would tell.
// `felt`: how far they are strained, of which friction with a grain feels a part only.
void ease(double friction, double load, double felt, GripTerms& grip) {
  const double longest = kWindUp * friction * load / grip.stiffness;
  if (!(felt > longest)) return;
  const Vector3d excess = (1 - longest / felt) * grip.grip.displacement;
  grip.grip.displacement -= excess;
  grip.grip.slip += excess;
}

}  // namespace

void give_grips(const ContactSet& contacts, const Kinematics& kinematics, std::span<GripTerms> grips,
                std::span<const double> share, ContactTermsList& terms) {
  for (GripTerms& grip : grips) {
    const PairMaterial& material = contacts.material[contacts.pair[grip.first]];
    const double friction = grip.grip.sticks ? material.static_friction : material.dynamic_friction;
    const LinkPose& X = kinematics.pose[grip.ground];
    grip.stiffness = 0;
    double load = 0;
    double delay = 0;  // damping over stiffness: that of the normal force, dissipation times overlap
    for (int i = grip.first; i < grip.first + grip.count; ++i) {
      const ContactTerms& contact = terms.contacts[i];
      grip.stiffness += contact.stiffness;
      load += contact.force;
      delay += share[i] *
               (contact.relaxes() ? contact.relaxation_time : contact.dissipation * std::max(0.0, -contact.distance));
    }
    const Matrix3d& frame = terms.contacts[grip.first].placed.frame;
    ease(friction, load, (frame.leftCols<2>().transpose() * (X.R * grip.grip.displacement)).norm(), grip);
    const Vector3d displacement = grip.sign * (X.R * grip.grip.displacement);
    const Vector3d twist = grip.sign * grip.grip.twist * contacts.normal[grip.first];
    const Vector3d center = X.p + X.R * grip.grip.center;
    for (int i = grip.first; i < grip.first + grip.count; ++i) {
      ContactTerms& contact = terms.contacts[i];
      contact.tangential_stiffness = share[i] * grip.stiffness;
      contact.tangential_damping = delay * contact.tangential_stiffness;
      contact.friction = friction;
      const Vector3d d = displacement + twist.cross(contacts.point[i] - center);
      contact.displacement = contact.placed.frame.leftCols<2>().transpose() * d;
    }
  }
}

namespace {

// The part of the load on points that hold.
double held_share(const GripTerms& grip, std::span<const double> share, std::span<const GripOutcome> outcomes) {
  double held = 0;
  for (int i = grip.first; i < grip.first + grip.count; ++i)
    if (!outcomes[i].slips) held += share[i];
  return held;
}

// What a point's spring keeps: while any point of its grip holds, more than its cone allows.
Vector2d kept_displacement(const GripOutcome& outcome, bool all_slip) {
  const Vector2d kept = all_slip ? outcome.kept : outcome.moved;
  const double length = kept.norm(), longest = (all_slip ? 1 : kWindUp) * outcome.yield;
  return length > longest ? Vector2d(longest / length * kept) : kept;
}

// Takes from a grip the rigid displacement nearest to what its points lost: nearest in the energy of the springs, so
// that what is left holds no more energy than the points do.
void take_slip(const ContactSet& contacts, const ContactTermsList& terms, const Kinematics& kinematics,
               const GripTerms& from, std::span<const double> share, std::span<const GripOutcome> outcomes,
               Grip& grip) {
  const LinkPose& X = kinematics.pose[from.ground];
  const Vector3d center = X.p + X.R * grip.center, &normal = contacts.normal[from.first];
  const double held = held_share(from, share, outcomes);
  Vector3d lost = Vector3d::Zero();
  double turned = 0, turned_lost = 0;  // moments about the normal
  double farthest = 0, yield = 0;
  grip.energy = 0;
  for (int i = from.first; i < from.first + from.count; ++i) {
    const Matrix3d& frame = terms.contacts[i].placed.frame;
    const Vector3d moved = from_tangents(frame, outcomes[i].moved), r = contacts.point[i] - center;
    const Vector3d own = moved - from_tangents(frame, kept_displacement(outcomes[i], held == 0));
    lost += share[i] * own;
    turned += share[i] * normal.dot(r.cross(moved));
    turned_lost += share[i] * normal.dot(r.cross(own));
    farthest = std::max(farthest, r.norm());
    yield = std::max(yield, outcomes[i].yield);
    const double stretch = std::min(outcomes[i].kept.norm(), outcomes[i].yield);
    grip.energy += 0.5 * from.stiffness * share[i] * stretch * stretch;
  }
  const Vector3d slip = from.sign * (X.R.transpose() * lost);
  grip.displacement -= slip;
  grip.slip += slip;
  if (from.spread > 0) {
    // Nor may a twist that hardly any point feels grow until the load comes to those that do.
    const double left = (turned - turned_lost) / from.spread, most = 2 * kWindUp * yield / farthest;
    const double twist = from.sign * (turned / from.spread - std::clamp(left, -most, most));
    grip.twist -= twist;
    grip.slip_twist += twist;
  }
  grip.sticks = held > 0.5;
}

}  // namespace

GripOutcome grip_outcome(const AnchoredModel<double>& law, const Vector3d& v, double h, double stiffness) {
  GripOutcome out;
  out.normal = law.normal.impulse(v.z());
  if (!(law.kappa > 0) || !(stiffness > 0)) return out;
  const Vector2d start(law.start_x, law.start_y), w = start + law.kappa * v.head<2>();
  const double length = w.norm();
  out.slips = length > law.radius;
  out.moved = start / (h * stiffness) + h * v.head<2>();
  out.kept = out.moved;
  if (out.slips) out.kept -= h * (length - law.radius) / (law.kappa * length) * w;  // radial return
  out.yield = law.radius / (h * stiffness);
  return out;
}

void keep_grips(const ContactSet& contacts, const ContactTermsList& terms, const Kinematics& kinematics,
                std::span<const GripTerms> grips, std::span<const double> share, std::span<const GripOutcome> outcomes,
                double h, std::vector<Grip>& memory) {
  memory.clear();
  for (const GripTerms& terms_of_grip : grips) {
    const int first = terms_of_grip.first, end = first + terms_of_grip.count;
    const auto touches = [](const GripOutcome& outcome) { return outcome.normal > 0; };
    if (std::none_of(outcomes.begin() + first, outcomes.begin() + end, touches)) continue;
    Grip grip = terms_of_grip.grip;
    grip.displacement += h * terms_of_grip.belt;
    take_slip(contacts, terms, kinematics, terms_of_grip, share, outcomes, grip);
    memory.push_back(grip);
  }
  const auto key = [](const Grip& x) {
    return std::tuple(x.geometry_a, x.geometry_b, x.normal.x(), x.normal.y(), x.normal.z());
  };
  const auto before = [&](const Grip& x, const Grip& y) { return key(x) < key(y); };
  if (!std::is_sorted(memory.begin(), memory.end(), before)) std::sort(memory.begin(), memory.end(), before);
}

void extrapolate_grips(const Model& model, const CollisionModel& collision, std::span<const char> is_extrapolated,
                       std::span<const Grip> full, std::span<Grip> half) {
  const auto applies_to = [&](int geometry) {
    const int tree = model.links[collision.geometries[geometry].link].tree;
    return tree >= 0 && is_extrapolated[tree] != 0;
  };
  for (Grip& grip : half) {
    if (!applies_to(grip.geometry_a) && !applies_to(grip.geometry_b)) continue;
    const Grip* other = find_memory(full, grip);
    if (!other) continue;
    const Vector3d more = grip.slip - other->slip;
    const double more_twist = grip.slip_twist - other->slip_twist;
    grip.displacement -= more;
    grip.slip += more;
    grip.twist -= more_twist;
    grip.slip_twist += more_twist;
  }
}

}  // namespace stickslip
