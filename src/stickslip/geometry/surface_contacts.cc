#include "stickslip/geometry/surface_contacts.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/gjk.h"
#include "stickslip/geometry/normal_arc.h"
#include "stickslip/geometry/reduce_points.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

// Contacts with less than this part of the body's face are round-off.
constexpr double kNegligible = 1e-10;
// Patches fade in over this part of the body's size before they touch.
constexpr double kBand = 0.05;
// Overlaps that are less than this part of the body's face are completed by its deepest point.
constexpr double kSmallOverlap = 1e-2;
// How much a touch counts that nothing else has seen, as a part of the body's face; all of it where what was seen is
// farther away than this part of the body's size.
constexpr double kUnseen = 1e-2, kClearlyUnseen = 1e-3;
// Looking deep by this part of the body's size is not doubted.
constexpr double kNoDoubt = 0.02;
// Directions are found for a body with edges as if it were this part of its size farther out.
constexpr double kLift = 0.01;
// Normals closer than this [rad] are one.
constexpr double kSameNormal = 1e-9;
// Parts of a face's edge that meet this closely are one.
constexpr double kMeeting = 1e-9;

struct Query {
  Placed body;  // in the surface's frame
  SurfaceView surface;
  double reach, band, scale;
  SurfaceWorkspace& work;
};

// ---------------------------------------------------------------------------------------------------------------------
// How near a triangle of a mesh really is: seen along its normal alone a body far behind it looks deep.

double sheet_distance(const Query& query, const SurfaceTriangle& t) {
  const ConvexCore body = core_of(query.body);
  const ConvexCore triangle = triangle_core(t.vertex[0], t.vertex[1], t.vertex[2]);
  Nearest nearest;
  constexpr double kCurvedGap = 1e-9;
  find_nearest(CorePair(body, triangle), query.band + body.radius, kCurvedGap, nearest);
  if (nearest.status == Nearest::Status::kTouch) return 0;
  return std::max(0.0, nearest.distance - body.radius);
}

// A terrain is solid: what counts is whether the body's point is in the ground. On a slope the ground is as deep as it
// looks; behind a narrow crest it is not. 1: as deep as along the normal, 0: not in the ground at all. A depth of the
// order of `slack` is not doubted.
double burial(const Terrain& terrain, const Vector3d& point, double distance, const Vector3d& normal, double slack) {
  const double looks = std::max(0.0, -distance);
  const double depth = (terrain.height_at(point.x(), point.y()) - point.z()) * normal.z() + std::max(0.0, distance);
  return std::clamp((2 * depth + slack) / (slack + looks), 0.0, 1.0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Gathering: every triangle that pushes adds the parts of its overlap to a patch.

template <class Visitor>
void visit_surface(const Query& query, double margin, Visitor&& visit) {
  const Aabb box = bounding_box(query.body).grown(margin);
  if (query.surface.mesh)
    visit_triangles(*query.surface.mesh, box, visit);
  else
    visit_triangles(*query.surface.terrain, box, visit);
}

std::size_t slot_of_facet(const SurfaceWorkspace& work, int facet) {
  const std::size_t mask = work.slots.size() - 1;
  std::size_t slot = facet * 0x9E3779B1u & mask;
  while (work.slots[slot] >= 0 && work.patches[work.slots[slot]].facet != facet) slot = (slot + 1) & mask;
  return slot;
}

int find_patch_of_facet(const SurfaceWorkspace& work, int facet) {  // -1: it has none
  return work.slots.empty() ? -1 : work.slots[slot_of_facet(work, facet)];
}

int patch_of_facet(SurfaceWorkspace& work, int facet) {
  if (work.slots.size() < 2 * (work.patches.size() + 1)) {
    work.slots.assign(std::max<std::size_t>(64, 4 * work.slots.size()), -1);
    for (std::size_t i = 0; i < work.patches.size(); ++i) {
      if (work.patches[i].facet < 0) continue;
      work.slots[slot_of_facet(work, work.patches[i].facet)] = static_cast<int>(i);
    }
  }
  const std::size_t slot = slot_of_facet(work, facet);
  if (work.slots[slot] < 0) {
    work.slots[slot] = static_cast<int>(work.patches.size());
    work.patches.push_back({.facet = facet});
  }
  return work.slots[slot];
}

int new_patch(SurfaceWorkspace& work) {
  work.patches.push_back({.facet = -1});
  return static_cast<int>(work.patches.size()) - 1;
}

// What looks deep along the normal may not be. What is just in front is doubted as well, so that nothing changes at
// once when it touches. Returns the least of all distances straight over the triangle: it is not farther from the body.
double find_doubts(const Query& query, std::size_t first) {
  double straight = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < query.work.parts.size(); ++i) {
    OverlapPart& part = query.work.parts[i];
    for (int e = 0; e < 2; ++e) {
      if (part.ramp[e] == 1) straight = std::min(straight, std::abs(part.distance[e]));
      part.doubt[e] = part.ramp[e] > 0 ? std::clamp(1 - part.distance[e] / (kNoDoubt * query.scale), 0.0, 1.0) : 0;
    }
  }
  return straight;
}

bool is_doubted(const OverlapPart& part) { return part.doubt[0] > 0 || part.doubt[1] > 0; }

// In a terrain every point is asked for itself.
void judge_in_terrain(const Query& query, const Vector3d& normal, std::size_t first) {
  for (std::size_t i = first; i < query.work.parts.size(); ++i) {
    OverlapPart& part = query.work.parts[i];
    for (int e = 0; e < 2; ++e) {
      if (part.doubt[e] == 0) continue;
      const double slack = kNoDoubt * query.scale;
      const double real = burial(*query.surface.terrain, part.point[e], part.distance[e], normal, slack);
      part.ramp[e] *= 1 - part.doubt[e] * (1 - real);
    }
  }
}

// A mesh is a sheet: a body that touches a facet is in it wherever it looks so, whichever of the facet's triangles it
// touches. Those that push come first, mostly one of them is enough.
void bring_near(const Query& query, const SurfaceTriangle& t, double straight, int sheet) {
  double& away = query.work.patches[sheet].away;
  if (away > 0) away = std::min({away, straight, sheet_distance(query, t)});
}

void add_push(const Query& query, const SurfaceTriangle& t, const PushDirection& push) {
  SurfaceWorkspace& work = query.work;
  if (push.share <= 0) return;
  const bool has_discs = query.body.shape->kind == ColliderKind::kCylinder;
  const double depth = has_discs ? -distance_along(query.body, t.vertex[push.k], push.normal) : 0;
  if (work.faces.normal != push.normal || work.faces.depth != depth) {  // a floor has one normal
    find_body_faces(query.body, push.normal, depth, work.faces);
  }
  const std::size_t first = work.parts.size();
  add_overlap({t, push, work.faces, query.scale, query.surface}, work.parts);
  if (work.parts.size() == first) return;
  const double straight = find_doubts(query, first);
  const int sheet = patch_of_facet(work, t.facet);
  const int index = push.feature == PushDirection::Feature::kFace ? sheet : new_patch(work);
  work.patches[index].normal = push.normal;
  work.patches[index].sheet = sheet;
  if (query.surface.terrain)
    judge_in_terrain(query, push.normal, first);
  else if (std::any_of(work.parts.begin() + static_cast<std::ptrdiff_t>(first), work.parts.end(), is_doubted))
    bring_near(query, t, straight, sheet);
  for (std::size_t i = first; i < work.parts.size(); ++i) {
    work.parts[i].group = index;
    work.parts[i].length /= work.faces.measure;
  }
}

// Whether a plane between the two, across the line from one's middle to the other's, leaves more room than `room`.
bool is_farther(const Placed& body, const SurfaceTriangle& t, double room) {
  const Vector3d line = body.p - (t.vertex[0] + t.vertex[1] + t.vertex[2]) / 3;
  const double highest = std::max({line.dot(t.vertex[0]), line.dot(t.vertex[1]), line.dot(t.vertex[2])});
  const double gap = line.dot(support_point(body, -line)) - highest;
  return gap > 0 && gap * gap > room * room * line.squaredNorm();
}

// Bodies with edges. In a ridge there are several directions along which they are least deep, and the best changes at
// once; seen from just outside there is one nearest feature, and it changes gradually.
bool is_angular(const Collider& shape) {
  return shape.kind == ColliderKind::kBox || shape.kind == ColliderKind::kHull || shape.kind == ColliderKind::kCylinder;
}

// How near a triangle must be to count, as far as what it counts for beyond its edges goes.
double room_of(const Query& query) { return std::max(query.reach, query.band) + kFadeBody * query.scale; }

void add_triangle(const Query& query, const SurfaceTriangle& t) {
  const double room = room_of(query);
  if (distance_along(query.body, t.vertex[0], t.normal) > room) return;
  PushDirections& directions = query.work.directions;
  Placed lifted = query.body;
  if (is_angular(*lifted.shape)) lifted.p += kLift * query.scale * t.normal;
  find_push_directions(lifted, query.surface, t, is_farther(query.body, t, room), query.work.fans, directions);
  for (int i = 0; i < directions.count; ++i) add_push(query, t, directions.push[i]);
}

// Triangles of facets that are in doubt still and that are not all of them: they count whether they push or not.
void bring_facets_near(const Query& query) {
  SurfaceWorkspace& work = query.work;
  const auto is_open = [](const SurfacePatch& patch) {
    return patch.away > 0 && patch.away < std::numeric_limits<double>::infinity();
  };
  if (std::none_of(work.patches.begin(), work.patches.end(), is_open)) return;
  visit_surface(query, room_of(query), [&](const SurfaceTriangle& t) {
    if (std::find(t.edge.begin(), t.edge.end(), EdgeKind::kFlat) == t.edge.end()) return;
    const int sheet = find_patch_of_facet(work, t.facet);
    if (sheet >= 0 && is_open(work.patches[sheet])) bring_near(query, t, work.patches[sheet].away, sheet);
  });
}

void judge_on_mesh(const Query& query) {
  bring_facets_near(query);
  for (OverlapPart& part : query.work.parts) {
    const double away = query.work.patches[query.work.patches[part.group].sheet].away;
    for (int e = 0; e < 2; ++e) {
      if (part.doubt[e] == 0) continue;
      const double real = std::clamp(1 - (away - std::max(0.0, part.distance[e])) / query.band, 0.0, 1.0);
      part.ramp[e] *= 1 - part.doubt[e] * (1 - real);
    }
  }
}

void gather(const Query& query) {
  SurfaceWorkspace& work = query.work;
  work.patches.clear();
  work.parts.clear();
  work.points.clear();
  work.fans.clear();
  work.faces.normal.setZero();
  std::fill(work.slots.begin(), work.slots.end(), -1);
  visit_surface(query, room_of(query), [&](const SurfaceTriangle& t) { add_triangle(query, t); });
  if (query.surface.mesh) judge_on_mesh(query);
}

// ---------------------------------------------------------------------------------------------------------------------
// Points: the parts of a face's edge over neighbouring triangles of a facet become one, with points at its ends only.

bool continues(const OverlapPart& part, const OverlapPart& following) {
  return part.group == following.group && part.face == following.face && part.edge == following.edge &&
         part.edge >= 0 && following.start - part.end < kMeeting && part.ramp[1] == 1 && following.ramp[0] == 1;
}

void append_points(const OverlapPart& part, SurfacePatch& patch, SurfaceWorkspace& work) {
  for (int e = 0; e < 2; ++e) {
    const double measure = 0.5 * part.length * part.ramp[e];
    if (!(measure > 0)) continue;
    patch.measure += measure;
    SurfacePoint& point = work.points.emplace_back();
    point.contact = {.point_a = part.point[e], .distance = part.distance[e], .feature = part.feature[e]};
    point.measure = measure;
    ++patch.count;
  }
}

void make_points(SurfaceWorkspace& work) {
  std::sort(work.parts.begin(), work.parts.end(), [](const OverlapPart& a, const OverlapPart& b) {
    if (a.group != b.group) return a.group < b.group;
    if (a.face != b.face) return a.face < b.face;
    if (a.edge != b.edge) return a.edge < b.edge;
    if (a.start != b.start) return a.start < b.start;
    return a.feature[0] < b.feature[0];
  });
  for (std::size_t i = 0; i < work.parts.size();) {
    OverlapPart part = work.parts[i++];
    SurfacePatch& patch = work.patches[part.group];
    if (patch.count == 0) patch.first = static_cast<int>(work.points.size());
    for (; i < work.parts.size() && continues(part, work.parts[i]); ++i) {
      const OverlapPart& following = work.parts[i];
      part.length += following.length;
      if (following.end <= part.end) continue;  // no length, but for rounding
      part.end = following.end;
      part.point[1] = following.point[1];
      part.distance[1] = following.distance[1];
      part.ramp[1] = following.ramp[1];
      part.feature[1] = following.feature[1];
    }
    append_points(part, patch, work);
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// The safety net. Deep inside, a body can be where no triangle sees it along its normal: below a valley, say. Then the
// triangle among those it really touches along whose normal it is least deep pushes at its deepest point.

struct Rescue {
  double distance = -std::numeric_limits<double>::infinity();
  Vector3d normal = Vector3d::Zero();
};

void try_rescue(const Query& query, const SurfaceTriangle& t, Rescue& best) {
  const double distance = distance_along(query.body, t.vertex[0], t.normal);
  if (distance >= 0 || distance <= best.distance || sheet_distance(query, t) > 0) return;
  best = {distance, t.normal};
}

// A body may touch the surface where none of its faces and none of the surface's normals say so: an edge that crosses
// another, a disc's rim between two of its points. Then the triangle pushes along its normal, as far as it takes to
// come free of it: nothing at first. Of several the one that is deepest pushes, so that one which is just touched
// changes nothing. As soon as anything else touches it is over: it ends gradually before.
void try_unseen(const Query& query, const SurfaceTriangle& t, Rescue& best) {
  double out = -distance_along(query.body, t.vertex[0], t.normal), in = 0;
  if (!(out > 0) || sheet_distance(query, t) > 0) return;
  constexpr int kHalvings = 40;
  Query moved = query;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (in + out);
    moved.body.p = query.body.p + middle * t.normal;
    (sheet_distance(moved, t) > 0 ? out : in) = middle;
  }
  if (best.normal.isZero() || -out < best.distance) best = {-out, t.normal};
}

// Wholly below a terrain a body touches no triangle: up it goes.
void try_lift(const Query& query, Rescue& best) {
  const Terrain& terrain = *query.surface.terrain;
  const Vector3d& p = query.body.p;
  if (!terrain.is_in_ground(p)) return;
  const Vector3d above(p.x(), p.y(), terrain.height_at(p.x(), p.y()));
  best = {distance_along(query.body, above, Vector3d::UnitZ()), Vector3d::UnitZ()};
}

void complete(const Query& query) {
  SurfaceWorkspace& work = query.work;
  double overlap = 0, nearest = std::numeric_limits<double>::infinity();
  for (const SurfacePatch& patch : work.patches) overlap += patch.measure;
  for (const SurfacePoint& point : work.points) {
    if (point.measure > kNegligible) nearest = std::min(nearest, point.contact.distance);  // the rest is left out later
  }
  if (overlap >= kSmallOverlap && nearest <= 0) return;
  Rescue best;
  double measure = kSmallOverlap - overlap;
  if (measure > 0) {
    visit_surface(query, 0, [&](const SurfaceTriangle& t) { try_rescue(query, t, best); });
    if (best.normal.isZero() && query.surface.terrain) try_lift(query, best);
  } else {
    visit_surface(query, 0, [&](const SurfaceTriangle& t) { try_unseen(query, t, best); });
    measure = kUnseen * std::min(1.0, nearest / (kClearlyUnseen * query.scale));
  }
  if (best.normal.isZero()) return;
  SurfacePatch& patch = work.patches[new_patch(work)];
  patch.normal = best.normal;
  patch.first = static_cast<int>(work.points.size());
  const Vector3d point = support_point(query.body, -best.normal);
  append_points({.length = measure,
                 .point = {point, point},
                 .distance = {best.distance, best.distance},
                 .ramp = {1, 1},
                 .feature = {1, 1}},
                patch, work);
}

// ---------------------------------------------------------------------------------------------------------------------
// Weights.

// A patch's presence s: the measure of its points, which fade with distance beyond the nearest point of all.
void find_presence(const Query& query) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const SurfacePoint& point : query.work.points) nearest = std::min(nearest, point.contact.distance);
  nearest = std::max(0.0, nearest);
  for (SurfacePatch& patch : query.work.patches) {
    patch.presence = 0;
    for (int i = patch.first; i < patch.first + patch.count; ++i) {
      const SurfacePoint& point = query.work.points[i];
      patch.presence += point.measure * std::clamp(1 - (point.contact.distance - nearest) / query.band, 0.0, 1.0);
    }
  }
}

// W_i = s_i / sum_j s_j max(0, n_i . n_j)^2
void weigh_each(std::vector<SurfacePatch>& patches) {
  for (SurfacePatch& patch : patches) {
    if (!(patch.presence > 0)) continue;
    double sum = 0;
    for (const SurfacePatch& other : patches) {
      const double cosine = std::max(0.0, patch.normal.dot(other.normal));
      sum += other.presence * cosine * cosine;
    }
    patch.weight = patch.presence / sum;
  }
}

// Whether no two normals are more than a right angle apart, since none is more than half of that from their middle.
bool is_narrow(const std::vector<SurfacePatch>& patches) {
  Vector3d middle = Vector3d::Zero();
  for (const SurfacePatch& patch : patches) middle += patch.presence * patch.normal;
  const double limit = M_SQRT1_2 * middle.norm();
  return std::all_of(patches.begin(), patches.end(), [&](const SurfacePatch& patch) {
    return !(patch.presence > 0) || patch.normal.dot(middle) > limit;
  });
}

// On ground that is not steep all cosines are positive, and the sum is a quadratic form of n_i: no pairs.
void weigh(std::vector<SurfacePatch>& patches) {
  for (SurfacePatch& patch : patches) patch.weight = 0;
  if (!is_narrow(patches)) return weigh_each(patches);
  Matrix3d sum = Matrix3d::Zero();
  for (const SurfacePatch& patch : patches)
    if (patch.presence > 0) sum += patch.presence * patch.normal * patch.normal.transpose();
  for (SurfacePatch& patch : patches)
    if (patch.presence > 0) patch.weight = patch.presence / patch.normal.dot(sum * patch.normal);
}

// ---------------------------------------------------------------------------------------------------------------------

void gather_points(const Query& query, const SurfacePatch& patch) {
  for (int i = 0; i < patch.count; ++i) {
    SurfacePoint& point = query.work.points[patch.first + i];
    if (point.contact.distance > query.reach || !(point.measure > kNegligible)) continue;
    point.contact.weight = patch.weight * point.measure / patch.measure;
    query.work.gathered.push_back(point.contact);
  }
}

// Points of the same place and depth, which neighbouring triangles or edges report alike.
void merge_twins(std::vector<ManifoldPoint>& points, double tolerance) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t twin = 0;
    while (twin < kept && ((points[twin].point_a - points[i].point_a).squaredNorm() > tolerance * tolerance ||
                           std::abs(points[twin].distance - points[i].distance) > tolerance)) {
      ++twin;
    }
    if (twin < kept) {
      points[twin].weight += points[i].weight;
      points[twin].feature = std::min(points[twin].feature, points[i].feature);
    } else {
      points[kept++] = points[i];
    }
  }
  points.resize(kept);
}

int make_manifolds(const Query& query, const Placed& surface, std::vector<Manifold>& out) {
  const std::size_t before = out.size();
  std::vector<SurfacePatch>& patches = query.work.patches;
  std::vector<ManifoldPoint>& gathered = query.work.gathered;
  for (std::size_t i = 0; i < patches.size(); ++i) {
    if (!(patches[i].weight > 0)) continue;
    gathered.clear();
    gather_points(query, patches[i]);
    for (std::size_t j = i + 1; j < patches.size(); ++j) {
      if (!(patches[j].weight > 0) || (patches[j].normal - patches[i].normal).norm() > kSameNormal) continue;
      gather_points(query, patches[j]);
      patches[j].weight = 0;
    }
    merge_twins(gathered, 1e-12 * query.scale);
    if (gathered.empty()) continue;
    Manifold& manifold = out.emplace_back();
    manifold.normal = -(surface.R * patches[i].normal);
    manifold.count = reduce_points(gathered.data(), static_cast<int>(gathered.size()), kMaxManifoldPoints);
    for (int k = 0; k < manifold.count; ++k) {
      manifold.points[k] = gathered[k];
      manifold.points[k].point_a = surface.R * gathered[k].point_a + surface.p;
    }
  }
  return static_cast<int>(out.size() - before);
}

}  // namespace

int surface_contacts(const Placed& convex, const Placed& surface, double reach, SurfaceWorkspace& workspace,
                     std::vector<Manifold>& out) {
  const double scale = convex.shape->scale();
  const Query query{
      .body = {convex.shape, surface.R.transpose() * convex.R, surface.R.transpose() * (convex.p - surface.p)},
      .surface = {surface.shape->surface.get(), surface.shape->terrain.get()},
      .reach = reach,
      .band = kBand * scale,
      .scale = scale,
      .work = workspace};
  gather(query);
  make_points(workspace);
  complete(query);
  find_presence(query);
  weigh(workspace.patches);
  return make_manifolds(query, surface, out);
}

}  // namespace stickslip
