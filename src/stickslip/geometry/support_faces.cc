#include "stickslip/geometry/support_faces.h"

#include <algorithm>
#include <cmath>

namespace stickslip {
namespace {

// A face's misfit is 1 - cos of its angle with the direction. Faces within this part of the best misfit, or this much
// of it, are blended. Wide enough that a roll over an edge is smooth (about 1 degree for a box), narrow enough that a
// resting body has one face; the absolute part (0.25 degrees) joins the nearly coplanar triangles of curved meshes.
constexpr double kBlendRatio = 0.1;
constexpr double kBlendMisfit = 1e-5;

double blend_limit(double best_misfit) { return best_misfit * (1 + kBlendRatio) + kBlendMisfit; }

SupportFace& add_face(SupportFaces& faces, double share, const Vector3d& normal) {
  SupportFace& face = faces.face[faces.count++];
  face.count = 0;
  face.share = share;
  face.width = 0;
  face.is_round = false;
  face.normal = normal;
  return face;
}

void add_vertex(SupportFace& face, const Vector3d& point, int id) {
  face.vertex[face.count] = point;
  face.id[face.count++] = static_cast<std::uint16_t>(id);
}

void normalize_shares(SupportFaces& faces) {
  if (faces.count == 1) {
    faces.face[0].share = 1;
    return;
  }
  double sum = 0;
  for (int i = 0; i < faces.count; ++i) sum += faces.face[i].share;
  for (int i = 0; i < faces.count; ++i) faces.face[i].share /= sum;
}

void point_face(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  add_vertex(add_face(faces, 1, direction), support_point(placed, direction), 0);
}

// ---------------------------------------------------------------------------------------------------------------------

constexpr int kBoxCorner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

void add_box_face(const Placed& placed, int axis, double sign, double share, SupportFaces& faces) {
  const Vector3d& half = placed.shape->half;
  // For a face that looks along the negative axis the other two swap, so that the order stays counter-clockwise.
  const int u = sign > 0 ? (axis + 1) % 3 : (axis + 2) % 3;
  const int v = 3 - axis - u;
  const Vector3d normal = sign * placed.R.col(axis);
  const Vector3d center = placed.p + half[axis] * normal;
  const Vector3d side_u = half[u] * placed.R.col(u), side_v = half[v] * placed.R.col(v);
  SupportFace& face = add_face(faces, share, normal);
  for (const auto& corner : kBoxCorner) {
    const int id = ((sign > 0) << axis) | ((corner[0] > 0) << u) | ((corner[1] > 0) << v);
    add_vertex(face, center + corner[0] * side_u + corner[1] * side_v, id);
  }
}

void box_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Vector3d d = placed.R.transpose() * direction;
  const Vector3d misfit = 1 - d.array().abs();
  const double limit = blend_limit(std::max(0.0, misfit.minCoeff()));
  for (int axis = 0; axis < 3; ++axis) {
    if (misfit[axis] < limit) add_box_face(placed, axis, d[axis] >= 0 ? 1 : -1, limit - misfit[axis], faces);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

// Where a long round shape (cylinder, capsule, needle) looks along `direction`: its axis, the end that is ahead, how
// well side and end fit.
struct Axial {
  Vector3d axis;    // unit, towards the end that is ahead
  Vector3d across;  // unit, perpendicular to it, the radial direction that is ahead
  double tilt = 0;  // |direction x axis|
  double side_share = 0, end_share = 0;
};

Axial axial(const Vector3d& axis, const Vector3d& fallback_across, const Vector3d& direction) {
  Axial out;
  const double along = direction.dot(axis);
  out.axis = along >= 0 ? axis : Vector3d(-axis);
  const Vector3d radial = direction - along * axis;
  out.tilt = radial.norm();
  out.across = fallback_across;
  if (out.tilt > 1e-15) {  // of a small difference not all is across
    out.across = radial / out.tilt;
    out.across = (out.across - out.across.dot(axis) * axis).normalized();
  }
  const double end_misfit = 1 - std::min(1.0, std::abs(along)), side_misfit = 1 - std::min(1.0, out.tilt);
  const double limit = blend_limit(std::min(end_misfit, side_misfit));
  out.side_share = std::max(0.0, limit - side_misfit);
  out.end_share = std::max(0.0, limit - end_misfit);
  return out;
}

// Part of the radius that counts as the breadth of a line contact.
constexpr double kLineBreadth = 1e-3;

void add_side(const Placed& placed, const Axial& axial, const Vector3d& outward, SupportFaces& faces) {
  const double radius = placed.shape->radius(), half_length = placed.shape->half.z();
  SupportFace& face = add_face(faces, axial.side_share, outward);
  face.width = kLineBreadth * radius;
  const bool ahead_is_top = axial.axis.dot(placed.R.col(2)) > 0;
  const Vector3d middle = placed.p + radius * outward;
  add_vertex(face, middle + half_length * axial.axis, ahead_is_top ? 1 : 2);
  add_vertex(face, middle - half_length * axial.axis, ahead_is_top ? 2 : 1);
}

// The disc at a cylinder's end: eight points of its rim, the first in the direction `ahead`. The whole rim is the
// face's border: where another face cuts it does not depend on where the points are.
constexpr int kRimCorners = 8;

void add_disc(const Placed& placed, const Axial& axial, const Vector3d& ahead, double share, int first_id,
              SupportFaces& faces) {
  SupportFace& face = add_face(faces, share, axial.axis);
  face.is_round = true;
  face.center = placed.p + placed.shape->half.z() * axial.axis;
  const Vector3d u = placed.shape->radius() * ahead, v = axial.axis.cross(u);
  constexpr double kHalfSquare = M_SQRT1_2;
  constexpr double kCorner[kRimCorners][2] = {
      {1, 0},  {kHalfSquare, kHalfSquare},   {0, 1},  {-kHalfSquare, kHalfSquare},
      {-1, 0}, {-kHalfSquare, -kHalfSquare}, {0, -1}, {kHalfSquare, -kHalfSquare}};
  for (int i = 0; i < kRimCorners; ++i) {
    add_vertex(face, face.center + kCorner[i][0] * u + kCorner[i][1] * v, first_id + i);
  }
}

// The points turn with the lowest one, so that the deepest is exact and a disc that rolls on its rim runs smoothly. A
// level disc has no lowest point: from the second tilt [rad] to the first the points change over to ones that are fixed
// to the body.
constexpr double kTilted = 1e-5, kLevel = 1e-6;
constexpr int kFixedIds = 3, kTurningIds = kFixedIds + 2 * kRimCorners;  // of vertices; 1 and 2 are those of the side

void cylinder_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Axial part = axial(placed.R.col(2), placed.R.col(0), direction);
  if (part.side_share > 0) add_side(placed, part, part.across, faces);
  if (!(part.end_share > 0)) return;
  const int end = part.axis.dot(placed.R.col(2)) > 0 ? 0 : kRimCorners;
  const double turning = std::clamp((part.tilt - kLevel) / (kTilted - kLevel), 0.0, 1.0);
  if (turning < 1) add_disc(placed, part, placed.R.col(0), (1 - turning) * part.end_share, kFixedIds + end, faces);
  if (turning > 0) add_disc(placed, part, part.across, turning * part.end_share, kTurningIds + end, faces);
}

// On a plane nothing is cut: for a level disc it does not matter where its points are, since the second moments of a
// regular polygon are the same about every axis.
void cylinder_faces_on_plane(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Axial part = axial(placed.R.col(2), placed.R.col(0), direction);
  if (part.side_share > 0) add_side(placed, part, part.across, faces);
  if (part.end_share > 0) add_disc(placed, part, part.across, part.end_share, kTurningIds, faces);
}

void capsule_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Axial part = axial(placed.R.col(2), placed.R.col(0), direction);
  // A sphere sits at either end, so both ends look along the direction itself.
  if (part.side_share > 0) add_side(placed, part, direction, faces);
  if (part.end_share > 0) {
    SupportFace& face = add_face(faces, part.end_share, direction);
    add_vertex(face, placed.p + placed.shape->half.z() * part.axis + placed.shape->radius() * direction, 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

// A face that misses the farthest vertex by g has g / radius times this added to its misfit: faces at that vertex win,
// and the change from one farthest vertex to the next is continuous.
constexpr double kMissWeight = 1e4;

struct HullCandidates {
  static constexpr int kMax = 64;
  int count = 0;
  std::array<int, kMax> face;
  std::array<double, kMax> misfit;

  void add(int f, double m) {
    if (count == kMax) return;
    for (int i = 0; i < count; ++i) {
      if (face[i] != f) continue;
      misfit[i] = std::min(misfit[i], m);
      return;
    }
    face[count] = f;
    misfit[count++] = m;
  }
};

void add_faces_around(const Hull& hull, int vertex, double miss, const Vector3d& d, HullCandidates& candidates) {
  for (int i = hull.vertex_first[vertex]; i < hull.vertex_first[vertex + 1]; ++i) {
    const int f = hull.vertex_faces[i];
    candidates.add(f, 1 - std::min(1.0, d.dot(hull.faces[f].normal)) + miss);
  }
}

HullCandidates hull_candidates(const Hull& hull, const Vector3d& d) {
  HullCandidates candidates;
  const int farthest = support_vertex(hull, d);
  add_faces_around(hull, farthest, 0, d, candidates);
  const double height = d.dot(hull.vertices[farthest]);
  for (int i = hull.neighbor_first[farthest]; i < hull.neighbor_first[farthest + 1]; ++i) {
    const int other = hull.vertex_neighbors[i];
    const double miss = kMissWeight * (height - d.dot(hull.vertices[other])) / hull.radius;
    if (miss < 1) add_faces_around(hull, other, miss, d, candidates);
  }
  return candidates;
}

void add_hull_face(const Placed& placed, int index, double share, SupportFaces& faces) {
  const Hull& hull = *placed.shape->hull;
  const Hull::Face& source = hull.faces[index];
  SupportFace& face = add_face(faces, share, placed.R * source.normal);
  for (int i = 0; i < source.count; ++i) {
    const int v = hull.face_vertices[source.first + i];
    add_vertex(face, placed.R * hull.vertices[v] + placed.p, v);
  }
}

// Two vertices and no face.
void needle_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Hull& hull = *placed.shape->hull;
  const Vector3d ends[2] = {placed.R * hull.vertices[0] + placed.p, placed.R * hull.vertices[1] + placed.p};
  const Axial part = axial((ends[1] - ends[0]).normalized(), Vector3d::Zero(), direction);
  if (part.side_share > 0) {
    SupportFace& face = add_face(faces, part.side_share, direction);
    for (int i = 0; i < 2; ++i) add_vertex(face, ends[i], i);
  }
  if (part.end_share > 0) {
    const int ahead = direction.dot(ends[1] - ends[0]) > 0;
    add_vertex(add_face(faces, part.end_share, direction), ends[ahead], ahead);
  }
}

void hull_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Hull& hull = *placed.shape->hull;
  if (hull.faces.empty() && hull.vertices.size() == 2) return needle_faces(placed, direction, faces);
  if (hull.faces.empty()) return point_face(placed, direction, faces);
  const HullCandidates candidates = hull_candidates(hull, placed.R.transpose() * direction);
  double best = candidates.misfit[0];
  for (int i = 1; i < candidates.count; ++i) best = std::min(best, candidates.misfit[i]);
  const double limit = blend_limit(best);
  for (int i = 0; i < candidates.count && faces.count < SupportFaces::kMax; ++i) {
    if (candidates.misfit[i] < limit) add_hull_face(placed, candidates.face[i], limit - candidates.misfit[i], faces);
  }
}

}  // namespace

void support_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  faces.count = 0;
  switch (placed.shape->kind) {
    case ColliderKind::kBox:
      box_faces(placed, direction, faces);
      break;
    case ColliderKind::kCapsule:
      capsule_faces(placed, direction, faces);
      break;
    case ColliderKind::kCylinder:
      cylinder_faces(placed, direction, faces);
      break;
    case ColliderKind::kHull:
      hull_faces(placed, direction, faces);
      break;
    default:
      point_face(placed, direction, faces);
  }
  normalize_shares(faces);
}

void support_faces_on_plane(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  if (placed.shape->kind != ColliderKind::kCylinder) return support_faces(placed, direction, faces);
  faces.count = 0;
  cylinder_faces_on_plane(placed, direction, faces);
  normalize_shares(faces);
}

bool is_blended_box(const Vector3d& d) {
  const Vector3d misfit = 1 - d.array().abs();
  const double limit = blend_limit(std::max(0.0, misfit.minCoeff()));
  return (misfit.array() < limit).count() > 1;
}

}  // namespace stickslip
