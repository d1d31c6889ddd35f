#include "stickslip/geometry/surface_doubts.h"

#include <algorithm>
#include <limits>

#include "stickslip/geometry/convex_core.h"
#include "stickslip/geometry/gjk.h"
#include "stickslip/geometry/surface_patches.h"

namespace stickslip {
namespace {

// Looking deep by this part of the body's size is not doubted.
constexpr double kNoDoubt = 0.02;

// A terrain is solid: what counts is whether the body's point is in the ground. On a slope the ground is as deep as it
// looks; behind a narrow crest it is not. 1: as deep as along the normal, 0: not in the ground at all. A depth of the
// order of `slack` is not doubted.
double burial(const Terrain& terrain, const Vector3d& point, double distance, const Vector3d& normal, double slack) {
  const double looks = std::max(0.0, -distance);
  const double depth = (terrain.height_at(point.x(), point.y()) - point.z()) * normal.z() + std::max(0.0, distance);
  return std::clamp((2 * depth + slack) / (slack + looks), 0.0, 1.0);
}

// What looks deep along the normal may not be. What is just in front is doubted as well, so that nothing changes at
// once when it touches. Returns the least of all distances straight over the triangle: it is not farther from the body.
double find_doubts(const SurfaceQuery& query, std::size_t first) {
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
void judge_in_terrain(const SurfaceQuery& query, const Vector3d& normal, std::size_t first) {
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
void bring_near(const SurfaceQuery& query, const SurfaceTriangle& t, double straight, int sheet) {
  double& away = query.work.patches[sheet].away;
  if (away > 0) away = std::min({away, straight, sheet_distance(query, t)});
}

// Triangles of facets that are in doubt still and that are not all of them: they count whether they push or not.
void bring_facets_near(const SurfaceQuery& query) {
  SurfaceWorkspace& work = query.work;
  const auto is_open = [](const SurfacePatch& patch) {
    return patch.away > 0 && patch.away < std::numeric_limits<double>::infinity();
  };
  if (std::none_of(work.patches.begin(), work.patches.end(), is_open)) return;
  visit_surface(query, query.room(), [&](const SurfaceTriangle& t) {
    if (std::find(t.edge.begin(), t.edge.end(), EdgeKind::kFlat) == t.edge.end()) return;
    const int sheet = find_patch_of_facet(work, t.facet);
    if (sheet >= 0 && is_open(work.patches[sheet])) bring_near(query, t, work.patches[sheet].away, sheet);
  });
}

}  // namespace

double sheet_distance(const SurfaceQuery& query, const SurfaceTriangle& t) {
  const ConvexCore body = core_of(query.body);
  const ConvexCore triangle = triangle_core(t.vertex[0], t.vertex[1], t.vertex[2]);
  Nearest nearest;
  constexpr double kCurvedGap = 1e-9;
  find_nearest(CorePair(body, triangle), query.band + body.radius, kCurvedGap, nearest);
  if (nearest.status == Nearest::Status::kTouch) return 0;
  return std::max(0.0, nearest.distance - body.radius);
}

void doubt_parts(const SurfaceQuery& query, const SurfaceTriangle& t, const Vector3d& normal, std::size_t first,
                 int sheet) {
  const double straight = find_doubts(query, first);
  const std::vector<OverlapPart>& parts = query.work.parts;
  if (query.surface.terrain)
    judge_in_terrain(query, normal, first);
  else if (std::any_of(parts.begin() + static_cast<std::ptrdiff_t>(first), parts.end(), is_doubted))
    bring_near(query, t, straight, sheet);
}

void judge_on_mesh(const SurfaceQuery& query) {
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

}  // namespace stickslip
