#include "stickslip/geometry/support_faces.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/face_blend.h"
#include "stickslip/geometry/hull_support.h"

namespace stickslip {

SupportFace& SupportFaces::add_face(double share, const Vector3d& normal) {
  SupportFace& added = face[count++];
  added.count = 0;
  added.share = share;
  added.width = 0;
  added.is_flat = true;
  added.is_round = false;
  added.normal = normal;
  added.vertex = vertex.data() + vertex_count;
  added.id = id.data() + vertex_count;
  return added;
}

void SupportFaces::add_vertex(const Vector3d& point, int vertex_id) {
  ++face[count - 1].count;
  vertex[vertex_count] = point;
  id[vertex_count++] = static_cast<std::uint16_t>(vertex_id);
}

namespace {

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
  faces.add_face(1, direction);
  faces.add_vertex(support_point(placed, direction), 0);
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
  faces.add_face(share, normal);
  for (const auto& corner : kBoxCorner) {
    const int id = ((sign > 0) << axis) | ((corner[0] > 0) << u) | ((corner[1] > 0) << v);
    faces.add_vertex(center + corner[0] * side_u + corner[1] * side_v, id);
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
  // Of a small difference not all is across; where most of it is along the axis, it is round-off.
  const Vector3d across = radial - radial.dot(axis) * axis;
  const double length = across.norm();
  if (length > 1e-15 && length > 0.5 * out.tilt) out.across = across / length;
  const double end_misfit = 1 - std::min(1.0, std::abs(along)), side_misfit = 1 - std::min(1.0, out.tilt);
  const double limit = blend_limit(std::min(end_misfit, side_misfit));
  out.side_share = std::max(0.0, limit - side_misfit);
  out.end_share = std::max(0.0, limit - end_misfit);
  return out;
}

// Part of the radius that counts as the breadth of a line contact: that of surfaces pressed in by 5e-5 of it. Lines
// that cross at a small angle share a part as long as their breadth over the angle; with a narrower one it wanders
// along cylinders faster, when they tilt, than a stiff step can follow.
constexpr double kLineBreadth = 1e-2;

void add_side(const Placed& placed, const Axial& axial, const Vector3d& outward, SupportFaces& faces) {
  const double radius = placed.shape->radius(), half_length = placed.shape->half.z();
  SupportFace& face = faces.add_face(axial.side_share, outward);
  face.width = kLineBreadth * radius;
  const bool ahead_is_top = axial.axis.dot(placed.R.col(2)) > 0;
  const Vector3d middle = placed.p + radius * outward;
  faces.add_vertex(middle + half_length * axial.axis, ahead_is_top ? 1 : 2);
  faces.add_vertex(middle - half_length * axial.axis, ahead_is_top ? 2 : 1);
}

// The disc at a cylinder's end: eight points of its rim, the first in the direction `ahead`. The whole rim is the
// face's border: where another face cuts it does not depend on where the points are.
constexpr int kRimCorners = 8;

void add_disc(const Placed& placed, const Axial& axial, const Vector3d& ahead, double share, int first_id,
              SupportFaces& faces) {
  SupportFace& face = faces.add_face(share, axial.axis);
  face.is_round = true;
  face.center = placed.p + placed.shape->half.z() * axial.axis;
  const Vector3d u = placed.shape->radius() * ahead, v = axial.axis.cross(u);
  constexpr double kHalfSquare = M_SQRT1_2;
  constexpr double kCorner[kRimCorners][2] = {
      {1, 0},  {kHalfSquare, kHalfSquare},   {0, 1},  {-kHalfSquare, kHalfSquare},
      {-1, 0}, {-kHalfSquare, -kHalfSquare}, {0, -1}, {kHalfSquare, -kHalfSquare}};
  for (int i = 0; i < kRimCorners; ++i) {
    faces.add_vertex(face.center + kCorner[i][0] * u + kCorner[i][1] * v, first_id + i);
  }
}

// The points turn with the lowest one, so that the deepest is exact and a disc that rolls on its rim runs smoothly. A
// level disc has no lowest point: below `tilted` [rad] the points change over to ones that are fixed to the body. A
// part of that tilt is left to these alone, but no more than the lowest point may be missed by.
constexpr double kLevel = 1e-6, kLevelPart = 0.1;
constexpr int kFixedIds = 3, kTurningIds = kFixedIds + 2 * kRimCorners;  // of vertices; 1 and 2 are those of the side

void cylinder_faces(const Placed& placed, const Vector3d& direction, double tilted, SupportFaces& faces) {
  const Axial part = axial(placed.R.col(2), placed.R.col(0), direction);
  if (part.side_share > 0) add_side(placed, part, part.across, faces);
  if (!(part.end_share > 0)) return;
  const int end = part.axis.dot(placed.R.col(2)) > 0 ? 0 : kRimCorners;
  const double level = std::min(kLevel, kLevelPart * tilted);
  const double turning = std::clamp((part.tilt - level) / (tilted - level), 0.0, 1.0);
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
    faces.add_face(part.end_share, direction);
    faces.add_vertex(placed.p + placed.shape->half.z() * part.axis + placed.shape->radius() * direction, 0);
  }
}

// ---------------------------------------------------------------------------------------------------------------------

void add_hull_face(const Placed& placed, int index, double share, SupportFaces& faces) {
  const Hull& hull = *placed.shape->hull;
  const Hull::Face& source = hull.faces[index];
  if (faces.vertex_count + source.count >= SupportFaces::kMaxVertices) return;
  faces.add_face(share, placed.R * source.normal).is_flat = source.is_flat;
  for (int i = 0; i < source.count; ++i) {
    const int v = hull.face_vertices[source.first + i];
    faces.add_vertex(placed.R * hull.vertices[v] + placed.p, v);
  }
}

// Two vertices and no face.
void needle_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Hull& hull = *placed.shape->hull;
  const Vector3d ends[2] = {placed.R * hull.vertices[0] + placed.p, placed.R * hull.vertices[1] + placed.p};
  const Axial part = axial(placed.R * (hull.vertices[1] - hull.vertices[0]).normalized(), Vector3d::Zero(), direction);
  if (part.side_share > 0) {
    faces.add_face(part.side_share, direction);
    for (int i = 0; i < 2; ++i) faces.add_vertex(ends[i], i);
  }
  if (part.end_share > 0) {
    const int ahead = direction.dot(ends[1] - ends[0]) > 0;
    faces.add_face(part.end_share, direction);
    faces.add_vertex(ends[ahead], ahead);
  }
}

void hull_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces) {
  const Hull& hull = *placed.shape->hull;
  if (hull.faces.empty() && hull.vertices.size() == 2) return needle_faces(placed, direction, faces);
  if (hull.faces.empty()) return point_face(placed, direction, faces);
  HullSupport support;
  find_hull_support(hull, placed.R.transpose() * direction, SupportFaces::kMax - 1, support);
  add_hull_faces(placed, support, faces);
  if (support.point_share > 0) {
    const int farthest = support.vertex[0];
    faces.add_face(support.point_share, direction);
    faces.add_vertex(placed.R * hull.vertices[farthest] + placed.p, farthest);
  }
}

}  // namespace

double tilted_disc(const Collider& cylinder, double depth) {
  constexpr double kLeast = 1e-9, kLifted = 0.1;  // [rad], of the depth
  constexpr double kTouching = 1e-8;              // of the radius
  const double share = depth / cylinder.radius();
  const double lifted = std::max(kLeast, kLifted * share);
  return lifted + std::clamp(1 - share / kTouching, 0.0, 1.0) * (kTiltedDisc - lifted);
}

void support_faces(const Placed& placed, const Vector3d& direction, SupportFaces& faces, double tilted) {
  faces.count = faces.vertex_count = 0;
  switch (placed.shape->kind) {
    case ColliderKind::kBox:
      box_faces(placed, direction, faces);
      break;
    case ColliderKind::kCapsule:
      capsule_faces(placed, direction, faces);
      break;
    case ColliderKind::kCylinder:
      cylinder_faces(placed, direction, tilted, faces);
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
  faces.count = faces.vertex_count = 0;
  cylinder_faces_on_plane(placed, direction, faces);
  normalize_shares(faces);
}

void add_hull_faces(const Placed& placed, const HullSupport& support, SupportFaces& faces) {
  for (int i = 0; i < support.count; ++i) add_hull_face(placed, support.face[i], support.share[i], faces);
}

bool is_blended_box(const Vector3d& d) {
  const Vector3d misfit = 1 - d.array().abs();
  const double limit = blend_limit(std::max(0.0, misfit.minCoeff()));
  return (misfit.array() < limit).count() > 1;
}

}  // namespace stickslip
