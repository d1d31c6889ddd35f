#include "stickslip/geometry/surface_contacts.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/gjk.h"
#include "stickslip/geometry/reduce_points.h"
#include "stickslip/geometry/terrain.h"
#include "stickslip/geometry/triangle_surface.h"

namespace stickslip {
namespace {

// Patches fade in over this part of the body's size before they touch.
constexpr double kBand = 0.05;
// An overlap smaller than this part of the body's face is completed by the deepest point.
constexpr double kSmallOverlap = 1e-3;
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
  find_nearest(CorePair(body, triangle), query.band + body.radius, nearest);
  if (nearest.status == Nearest::Status::kTouch) return 0;
  return std::max(0.0, nearest.distance - body.radius);
}

// A terrain is solid: what counts is whether the body's point is in the ground. On a slope the ground is as deep as it
// looks; behind a narrow crest it is not. 1: as deep as along the normal, 0: not in the ground at all.
double burial(const Terrain& terrain, const Vector3d& point, double distance, const Vector3d& normal) {
  if (distance >= 0) return 1;
  const double depth = (terrain.height_at(point.x(), point.y()) - point.z()) * normal.z();
  return std::clamp(2 * depth / -distance, 0.0, 1.0);
}

// ---------------------------------------------------------------------------------------------------------------------
// Gathering: every triangle that pushes adds the parts of its overlap to a patch.

int patch_of_facet(SurfaceWorkspace& work, int facet) {
  if (work.slots.size() < 2 * (work.patches.size() + 1)) {
    work.slots.assign(std::max<std::size_t>(64, 4 * work.slots.size()), -1);
    for (std::size_t i = 0; i < work.patches.size(); ++i) {
      if (work.patches[i].facet < 0) continue;
      std::size_t slot = work.patches[i].facet * 0x9E3779B1u & (work.slots.size() - 1);
      while (work.slots[slot] >= 0) slot = (slot + 1) & (work.slots.size() - 1);
      work.slots[slot] = static_cast<int>(i);
    }
  }
  std::size_t slot = facet * 0x9E3779B1u & (work.slots.size() - 1);
  while (work.slots[slot] >= 0 && work.patches[work.slots[slot]].facet != facet) {
    slot = (slot + 1) & (work.slots.size() - 1);
  }
  if (work.slots[slot] < 0) {
    work.slots[slot] = static_cast<int>(work.patches.size());
    work.patches.push_back({.facet = facet});
    work.patches.back().distance = std::numeric_limits<double>::infinity();
    work.patches.back().witness.length = 0;
  }
  return work.slots[slot];
}

int new_patch(SurfaceWorkspace& work) {
  work.patches.push_back({.facet = -1});
  work.patches.back().distance = std::numeric_limits<double>::infinity();
  work.patches.back().witness.length = 0;
  return static_cast<int>(work.patches.size()) - 1;
}

// The lowest distance of the parts from `first` on, after a terrain has judged them.
double judge_parts(const Query& query, std::size_t first, const Vector3d& normal) {
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = first; i < query.work.parts.size(); ++i) {
    OverlapPart& part = query.work.parts[i];
    for (int e = 0; e < 2; ++e) {
      if (query.surface.terrain) {
        part.ramp[e] *= burial(*query.surface.terrain, part.point[e], part.distance[e], normal);
      }
      if (part.ramp[e] > 0) lowest = std::min(lowest, part.distance[e]);
    }
  }
  return lowest;
}

void add_triangle(const Query& query, const SurfaceTriangle& t) {
  SurfaceWorkspace& work = query.work;
  const double limit = std::max(query.reach, query.band);
  if (distance_along(query.body, t.vertex[0], t.normal) > limit) return;
  const PushDirection push = push_direction(query.body, query.surface, t);
  if (push.share <= 0) return;
  find_body_faces(query.body, push.normal, work.faces);
  const std::size_t first = work.parts.size();
  add_overlap({t, push, work.faces, query.scale}, work.parts);
  if (work.parts.size() == first) return;
  const double lowest = judge_parts(query, first, push.normal);
  const bool looks_deep = lowest < 0 && query.surface.mesh;
  const double distance = looks_deep ? sheet_distance(query, t) : std::max(0.0, lowest);
  if (looks_deep && distance > limit) {
    work.parts.resize(first);
    return;
  }
  const int index = push.feature == PushDirection::Feature::kFace ? patch_of_facet(work, t.facet) : new_patch(work);
  SurfacePatch& patch = work.patches[index];
  patch.normal = push.normal;
  patch.distance = std::min(patch.distance, distance);
  for (std::size_t i = first; i < work.parts.size(); ++i) {
    work.parts[i].group = index;
    work.parts[i].length *= push.share / work.faces.measure;
  }
}

void gather(const Query& query) {
  SurfaceWorkspace& work = query.work;
  work.patches.clear();
  work.parts.clear();
  work.points.clear();
  std::fill(work.slots.begin(), work.slots.end(), -1);
  const Aabb box = bounding_box(query.body).grown(std::max(query.reach, query.band));
  const auto visit = [&query](const SurfaceTriangle& t) { add_triangle(query, t); };
  if (query.surface.mesh)
    visit_triangles(*query.surface.mesh, box, visit);
  else
    visit_triangles(*query.surface.terrain, box, visit);
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
// Weights.

// W_i = s_i / sum_j s_j max(0, n_i . n_j)^2 with the presence s of each patch: its measure, and it fades with distance
// beyond the nearest one.
void weigh(const Query& query) {
  std::vector<SurfacePatch>& patches = query.work.patches;
  double nearest = std::numeric_limits<double>::infinity();
  for (const SurfacePatch& patch : patches) {
    if (patch.measure > 0) nearest = std::min(nearest, patch.distance);
  }
  for (SurfacePatch& patch : patches) {
    // Until all are weighed, `distance` is the presence.
    patch.distance = patch.measure * std::clamp(1 - (patch.distance - nearest) / query.band, 0.0, 1.0);
  }
  for (SurfacePatch& patch : patches) {
    patch.weight = 0;
    if (!(patch.distance > 0)) continue;
    double sum = 0;
    for (const SurfacePatch& other : patches) {
      if (!(other.distance > 0)) continue;
      const double cosine = std::max(0.0, patch.normal.dot(other.normal));
      sum += other.distance * cosine * cosine;
    }
    patch.weight = patch.distance / sum;
  }
}

// ---------------------------------------------------------------------------------------------------------------------

void gather_points(const Query& query, const SurfacePatch& patch) {
  for (int i = 0; i < patch.count; ++i) {
    SurfacePoint& point = query.work.points[patch.first + i];
    if (point.contact.distance > query.reach) continue;
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
  weigh(query);
  return make_manifolds(query, surface, out);
}

}  // namespace stickslip
