#include "stickslip/geometry/surface_fans.h"

namespace stickslip {
namespace {

constexpr int kMostTriangles = 128;  // of a walk

int next(int k) { return k == 2 ? 0 : k + 1; }

int corner_of(const SurfaceTriangle& t, int vertex) {
  return t.vertex_index[0] == vertex ? 0 : t.vertex_index[1] == vertex ? 1 : 2;
}

}  // namespace

void SurfaceFans::clear() {
  for (Known& fan : known_) fan.vertex = -1;
  members_.clear();
  limits_.clear();
}

// Walks round the vertex from `from` (excluded), counter-clockwise or clockwise, and lists the edges it crosses and the
// triangles it meets.
SurfaceFans::Walk SurfaceFans::walk_round(const SurfaceView& surface, const SurfaceTriangle& from, bool ccw,
                                          Known& fan) {
  Walk walk;
  SurfaceTriangle t = from;
  for (int met = 0; met < kMostTriangles; ++met) {
    const int corner = corner_of(t, fan.vertex);
    const int edge = ccw ? (corner + 2) % 3 : corner;  // the edge to cross, and its far end
    limits_.push_back((t.vertex[ccw ? edge : next(edge)] - t.vertex[corner]).normalized());
    ++fan.limits;
    const int neighbor = t.neighbor[edge];
    walk.came_back = neighbor == from.index;
    walk.is_fan = walk.came_back || neighbor < 0;
    // Where the surface ends it looks outward.
    if (neighbor < 0) normals_.push_back(surface.triangle(t.index).edge_normal[edge]);
    if (walk.is_fan) return walk;
    t = surface.triangle_alone(neighbor);
    if (corner_of(t, fan.vertex) == 2 && t.vertex_index[2] != fan.vertex) return walk;  // three or more meet at an edge
    normals_.push_back(t.normal);
    const int entered = fan.limits - 1, left = fan.limits;
    members_.push_back({neighbor, ccw ? entered : left, ccw ? left : entered});
    ++fan.members;
  }
  return walk;
}

bool SurfaceFans::walk_all_round(const SurfaceView& surface, const SurfaceTriangle& t, Known& fan) {
  const std::size_t own = members_.size();
  members_.push_back({t.index, 0, 0});
  fan.members = 1;
  normals_.assign(1, t.normal);
  const Walk ahead = walk_round(surface, t, true, fan);
  if (!ahead.is_fan) return false;
  members_[own].edge_before = ahead.came_back ? fan.limits - 1 : fan.limits;
  if (!ahead.came_back && !walk_round(surface, t, false, fan).is_fan) return false;
  fan.outward.setZero();
  for (const Vector3d& normal : normals_) fan.outward += normal;
  if (ahead.came_back) return true;
  for (const Vector3d& normal : normals_) limits_.push_back(-normal);
  fan.limits += static_cast<int>(normals_.size());
  return true;
}

const SurfaceFans::Member* SurfaceFans::find_member(const Known& fan, int triangle) const {
  for (int i = fan.first_member; i < fan.first_member + fan.members; ++i) {
    if (members_[i].triangle == triangle) return &members_[i];
  }
  return nullptr;
}

bool SurfaceFans::find(const SurfaceView& surface, const SurfaceTriangle& t, int k, SurfaceFan& out) {
  const int vertex = t.vertex_index[k];
  Known& fan = known_[vertex & (kKnown - 1)];
  const Member* member = fan.vertex == vertex ? find_member(fan, t.index) : nullptr;
  if (!member) {  // or two fans meet at the vertex
    fan = {.vertex = vertex,
           .first_member = static_cast<int>(members_.size()),
           .first_limit = static_cast<int>(limits_.size())};
    fan.is_fan = walk_all_round(surface, t, fan);
    if (!fan.is_fan) fan.members = 1;  // others may be in one
    member = &members_[fan.first_member];
  }
  if (!fan.is_fan) return false;
  out = {t.vertex[k],         fan.outward,        std::span(limits_.data() + fan.first_limit, fan.limits),
         member->edge_before, member->edge_after, &fan.direction};
  return true;
}

}  // namespace stickslip
