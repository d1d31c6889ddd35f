#include "stickslip/geometry/polytope.h"

#include <algorithm>
#include <limits>

namespace stickslip {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();
constexpr double kFlat = 1e-12;  // a triangle this low for its sides has no normal worth using

}  // namespace

int Polytope::new_face(int a, int b, int c) {
  const int index = free_count_ > 0 ? free_[--free_count_] : face_count_++;
  Face& face = faces_[index];
  face.corner = {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b), static_cast<std::int16_t>(c)};
  const Vector3d &wa = points_[a].w, &wb = points_[b].w, &wc = points_[c].w;
  const Vector3d ab = wb - wa, ac = wc - wa;
  const Vector3d normal = ab.cross(ac);
  const double area2 = normal.squaredNorm();
  is_gone_[index] = false;
  if (area2 > kFlat * kFlat * ab.squaredNorm() * ac.squaredNorm()) {
    face.normal = normal / std::sqrt(area2);
    offsets_[index] = face.normal.dot(wa);
  } else {
    face.normal.setZero();
    offsets_[index] = kNowhere;
  }
  return index;
}

void Polytope::link(int face, int side, int other, int other_side) {
  faces_[face].across[side] = static_cast<std::int16_t>(other);
  faces_[other].across[other_side] = static_cast<std::int16_t>(face);
}

void Polytope::start(const DifferencePoint* points, int count) {
  point_count_ = count;
  face_count_ = free_count_ = 0;
  std::copy_n(points, count, points_.begin());
  const Vector3d base = (points[1].w - points[0].w).cross(points[2].w - points[0].w);
  const bool is_above = base.dot(points[3].w - points[0].w) > 0;
  const int b = is_above ? 1 : 2, c = is_above ? 2 : 1;  // 0, b, c: counter-clockwise seen from point 3
  const int sides[3] = {new_face(0, b, 3), new_face(b, c, 3), new_face(c, 0, 3)};
  for (int k = 0; k < 3; ++k) link(sides[k], 1, sides[(k + 1) % 3], 2);
  if (count == 4) {
    const int bottom = new_face(0, c, b);
    link(bottom, 0, sides[2], 0);
    link(bottom, 1, sides[1], 0);
    link(bottom, 2, sides[0], 0);
    return;
  }
  const int below[3] = {new_face(b, 0, 4), new_face(c, b, 4), new_face(0, c, 4)};
  for (int k = 0; k < 3; ++k) {
    link(below[k], 0, sides[k], 0);
    link(below[k], 2, below[(k + 1) % 3], 1);
  }
}

int Polytope::nearest_face() const {
  int best = 0;
  double least = offsets_[0];
  for (int face = 1; face < face_count_; ++face) {
    if (offsets_[face] < least) {
      least = offsets_[face];
      best = face;
    }
  }
  return best;
}

// A degenerate face is always seen, so that it goes with its neighbours.
bool Polytope::sees(const DifferencePoint& point, int face) const {
  const Face& plane = faces_[face];
  return plane.normal.isZero(0) || plane.normal.dot(point.w - points_[plane.corner[0]].w) > tolerance_;
}

int Polytope::side_towards(int face, int other) const {
  const auto& across = faces_[face].across;
  return across[0] == other ? 0 : across[1] == other ? 1 : 2;
}

// Removes the faces that the point sees, walking from one to the next, and returns the number of edges around them.
int Polytope::find_horizon(const DifferencePoint& point, int face) {
  std::array<Edge, kMaxFaces + 4> pending;  // each face that goes adds two and was one itself
  int pending_count = 0, count = 0;
  const auto remove = [&](int gone, int first_side, int sides) {
    is_gone_[gone] = true;
    offsets_[gone] = kNowhere;
    free_[free_count_++] = static_cast<std::int16_t>(gone);
    for (int k = sides - 1; k >= 0; --k) {  // the last is looked at first: in order around the face
      const int side = (first_side + k) % 3;
      const int other = faces_[gone].across[side];
      pending[pending_count++] = {static_cast<std::int16_t>(other),
                                  static_cast<std::int16_t>(side_towards(other, gone))};
    }
  };
  remove(face, 0, 3);
  while (pending_count > 0) {
    const Edge edge = pending[--pending_count];
    if (is_gone_[edge.face]) continue;
    if (sees(point, edge.face)) {
      remove(edge.face, edge.side + 1, 2);
    } else {
      if (count == kMaxFaces) return 0;
      horizon_[count++] = edge;
    }
  }
  return count;
}

bool Polytope::add(const DifferencePoint& point, int face) {
  if (point_count_ == kMaxPoints) return false;
  const int count = find_horizon(point, face);
  const auto corner = [&](const Edge& edge, int k) { return faces_[edge.face].corner[(edge.side + k) % 3]; };
  for (int k = 0; k < count; ++k) {  // each edge starts (seen from inside the hole) where the last one ended
    if (corner(horizon_[k], 0) != corner(horizon_[(k + 1) % count], 1)) return false;
  }
  if (count < 3 || face_count_ - free_count_ + count > kMaxFaces) return false;
  const int top = point_count_++;
  points_[top] = point;
  int first = -1, last = -1;
  for (int k = 0; k < count; ++k) {
    const Edge edge = horizon_[k];
    const int added = new_face(corner(edge, 1), corner(edge, 0), top);
    link(added, 0, edge.face, edge.side);
    if (last >= 0) link(last, 1, added, 2);
    if (first < 0) first = added;
    last = added;
  }
  link(last, 1, first, 2);
  return true;
}

}  // namespace stickslip
