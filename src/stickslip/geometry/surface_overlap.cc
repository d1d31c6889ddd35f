#include "stickslip/geometry/surface_overlap.h"

#include <algorithm>
#include <cmath>

#include "stickslip/geometry/feature_names.h"
#include "stickslip/geometry/length_across.h"

namespace stickslip {
namespace {

// At a valley a triangle's plane goes on under the neighbour and fades: over this part of its height, but no more than
// kFadeBody. A body that moves from one to the other then leaves the first gradually, and one in the corner rests on
// both.
constexpr double kFadeHeight = 0.1;
// A point or a line over the very edge of a ridge is over the triangle, whatever the rounding.
constexpr double kRidgeSlack = 1e-9;  // of the body
// Seen at a slope [cosine] below the first a triangle is only its edge, above the second it is all triangle.
constexpr double kEdgeOn = 0.1, kFaceOn = 0.3;
constexpr double kSteep = 1e-3;  // a body's face steeper than this says nothing about distances along the normal

int next(int k) { return k == 2 ? 0 : k + 1; }

bool is_ridge(const SurfaceTriangle& t, int k) {
  return t.edge[k] == EdgeKind::kConvex || t.edge[k] == EdgeKind::kBorder;
}

// One side of the triangle as the overlap sees it: inside where inward . (x - point) >= -slack.
struct Side {
  Vector3d point, inward;  // inward: perpendicular to the push, not unit for flat edges
  Vector3d outward;        // unit, in the triangle's plane
  double fade = 0;         // how far the plane goes on
  double slack = 0;
  bool is_open = false;  // the point on the line itself is the neighbour's
  double share = 1;      // of the overlap's boundary along it

  double height(const Vector3d& x) const { return inward.dot(x - point) + slack; }
  bool has(double height) const { return is_open ? height > 0 : height >= 0; }
};

struct Frame {
  const OverlapQuery& query;
  const SurfaceTriangle& t;
  Vector3d n;
  double fit;  // cosine of the triangle's slope against n
  std::array<Side, 3> side;

  double distance(const Vector3d& x) const { return t.normal.dot(x - t.vertex[0]) / fit; }

  double ramp(const Vector3d& x) const {
    double product = 1;
    const Vector3d foot = x - distance(x) * n;
    for (int k = 0; k < 3; ++k) {
      if (side[k].fade == 0) continue;
      const double beyond = side[k].outward.dot(foot - t.vertex[k]);
      product *= std::clamp(1 - beyond / side[k].fade, 0.0, 1.0);
    }
    return product;
  }
};

// The same plane, to the last bit, for both triangles at a flat edge: whatever is over the two is over exactly one.
void make_flat_side(const SurfaceTriangle& t, int k, Side& side) {
  const bool forward = t.vertex_index[k] < t.vertex_index[next(k)];
  const Vector3d &low = t.vertex[forward ? k : next(k)], &high = t.vertex[forward ? next(k) : k];
  const Vector3d to_right = (high - low).cross(t.normal + t.edge_normal[k]);
  side.point = low;
  side.inward = forward ? Vector3d(-to_right) : to_right;
  side.is_open = t.neighbor[k] < t.index;
}

// How far from its edge k a triangle fades.
double fade_of(const OverlapQuery& query, int k, const Vector3d& outward) {
  const double height = (query.triangle.vertex[k] - query.triangle.vertex[(k + 2) % 3]).dot(outward);
  return std::min(kFadeHeight * height, kFadeBody * query.body_scale);
}

Side make_side(const OverlapQuery& query, int k, const Vector3d& n) {
  const SurfaceTriangle& t = query.triangle;
  const Vector3d edge = t.vertex[next(k)] - t.vertex[k];
  Side side;
  side.outward = edge.cross(t.normal).normalized();
  side.share = (1 - flatness(t, k)) * query.push.side_share[k];
  if (t.edge[k] == EdgeKind::kFlat) {
    make_flat_side(t, k, side);
    return side;
  }
  side.point = t.vertex[k];
  side.inward = n.cross(edge).normalized();
  if (t.edge[k] == EdgeKind::kConcave) {
    side.fade = fade_of(query, k, side.outward);
    side.point += side.fade * side.outward;
  }
  return side;
}

Frame make_frame(const OverlapQuery& query) {
  const Vector3d& n = query.push.normal;
  Frame frame{query, query.triangle, n, query.triangle.normal.dot(n), {}};
  for (int k = 0; k < 3; ++k) frame.side[k] = make_side(query, k, n);
  return frame;
}

// What a point is, beside the triangle and the body's vertex: the kind of part it is of, and which of these.
enum class PointOf : std::uint8_t { kOwnEdge, kSide, kLine, kPoint, kEdgeUnder, kCrossing };

std::uint64_t feature_of(const Frame& frame, int body_id, PointOf kind, int which) {
  const auto of_body = static_cast<std::uint32_t>(body_id) << 16 | static_cast<std::uint32_t>(kind) << 12 |
                       static_cast<std::uint32_t>(which);
  return feature_name(of_body, static_cast<std::uint32_t>(frame.t.index));
}

// ---------------------------------------------------------------------------------------------------------------------
// A polygon, cut by the triangle's sides (Sutherland and Hodgman).

struct Corner {
  Vector3d point;
  int edge;  // the one that leaves it: of the face, or -1 - k for side k of the triangle
};

struct Polygon {
  static constexpr int kMax = kMaxFaceVertices + 4;
  int count = 0;
  std::array<Corner, kMax> corner;
};

void cut(const Polygon& in, const Side& side, int k, Polygon& out) {
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const Corner &a = in.corner[i], &b = in.corner[i + 1 < in.count ? i + 1 : 0];
    const double height_a = side.height(a.point), height_b = side.height(b.point);
    const bool a_in = side.has(height_a), b_in = side.has(height_b);
    if (a_in && out.count < Polygon::kMax) out.corner[out.count++] = a;
    if (a_in == b_in || out.count == Polygon::kMax) continue;
    const double s = height_a / (height_a - height_b);
    out.corner[out.count++] = {a.point + s * (b.point - a.point), a_in ? -1 - k : a.edge};
  }
}

// What the parts of a face over the triangle count, those along its own edges and those along the triangle's.
struct PolygonShares {
  double own;
  std::array<double, 3> side;
};

// A face that ends exactly along a ridge is over one side or, by a hair, over both, and must count the same. Of the two
// triangles one counts more, by some d. If the face comes from there, its edge loses d beyond the ridge: the boundary
// along the ridge has that. If it comes from the other side, its edge gains nothing at first and the boundary is
// nothing. What they count elsewhere comes with how far the face reaches to both sides.
void join_at_ridge(const Frame& frame, int k, const SupportFace& face, PolygonShares& shares) {
  const Side& side = frame.side[k];
  double inside = 0, beyond = 0;
  for (int i = 0; i < face.count; ++i) {
    const double height = side.height(face.vertex[i]);
    inside = std::max(inside, height);
    beyond = std::max(beyond, -height);
  }
  const double fade = fade_of(frame.query, k, side.outward);
  if (inside >= fade && beyond >= fade) return;
  inside = std::min(1.0, inside / fade);
  beyond = std::min(1.0, beyond / fade);
  const PushDirection& push = frame.query.push;
  const SurfaceTriangle neighbor = frame.query.surface.triangle(frame.t.neighbor[k]);
  const double others = push.part * push_along(neighbor, push.feature, push.k, frame.n).share;
  const double more = std::max(0.0, push.share - others);
  shares.own *= 1 - more / push.share * (1 - inside);
  shares.side[k] = inside * (more + (side.share - more) * beyond);
}

PolygonShares polygon_shares(const Frame& frame, const SupportFace& face) {
  PolygonShares shares{frame.query.push.share, {frame.side[0].share, frame.side[1].share, frame.side[2].share}};
  for (int k = 0; k < 3; ++k) {
    if (frame.t.edge[k] == EdgeKind::kConvex) join_at_ridge(frame, k, face, shares);
  }
  return shares;
}

void add_polygon(const Frame& frame, int face_index, double scale, std::vector<OverlapPart>& parts) {
  const SupportFace& face = frame.query.body.faces.face[face_index];
  Polygon polygon[2];
  polygon[0].count = face.count;
  for (int i = 0; i < face.count; ++i) polygon[0].corner[i] = {face.vertex[i], i};
  int current = 0;
  for (int k = 0; k < 3 && polygon[current].count > 0; ++k, current = 1 - current) {
    cut(polygon[current], frame.side[k], k, polygon[1 - current]);
  }
  const Polygon& overlap = polygon[current];
  if (overlap.count == 0) return;
  const PolygonShares shares = polygon_shares(frame, face);
  for (int i = 0; i < overlap.count; ++i) {
    const Corner &a = overlap.corner[i], &b = overlap.corner[i + 1 < overlap.count ? i + 1 : 0];
    const bool own = a.edge >= 0;
    const double share = own ? shares.own : shares.side[-1 - a.edge];
    if (!(share > 0)) continue;
    OverlapPart& part = parts.emplace_back();
    part.face = face_index;
    part.edge = own ? a.edge : -1;
    part.length = scale * share * face.share * length_across(b.point - a.point, frame.n);
    if (own) {
      const Vector3d from = face.vertex[a.edge], step = face.vertex[a.edge + 1 < face.count ? a.edge + 1 : 0] - from;
      part.start = (a.point - from).dot(step) / step.squaredNorm();
      part.end = (b.point - from).dot(step) / step.squaredNorm();
    }
    const Vector3d* ends[2] = {&a.point, &b.point};
    for (int e = 0; e < 2; ++e) {
      part.point[e] = *ends[e];
      part.distance[e] = frame.distance(*ends[e]);
      part.ramp[e] = frame.ramp(*ends[e]);
      part.feature[e] = own ? feature_of(frame, face.id[a.edge], PointOf::kOwnEdge, 2 * a.edge + e)
                            : feature_of(frame, face.id[0], PointOf::kSide, 2 * (-1 - a.edge) + e);
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Lines and points.

// Of a line's breadth, what counts beyond a ridge. With all of it lines across bumps jump from ridge to ridge.
constexpr double kRidgeBreadth = 0.1;

// A segment over the triangle: the part of it that is inside. At ridges a breadth beyond counts, so that a line along
// the ridge does not come and go; there the distance is that of the ridge.
void add_segment(const Frame& frame, int face_index, double scale, std::vector<OverlapPart>& parts) {
  const SupportFace& face = frame.query.body.faces.face[face_index];
  const Vector3d from = face.vertex[0], step = face.vertex[1] - from;
  double low = 0, high = 1;
  const auto breadth = [&](int k) {
    return is_ridge(frame.t, k) ? kRidgeBreadth * face.width + kRidgeSlack * frame.query.body_scale : 0;
  };
  for (int k = 0; k < 3; ++k) {
    Side side = frame.side[k];
    side.slack = breadth(k);
    const double height = side.height(from), end_height = side.height(from + step);
    const bool in = side.has(height), end_in = side.has(end_height);
    if (!in && !end_in) return;
    if (!in) low = std::max(low, height / (height - end_height));
    if (!end_in) high = std::min(high, height / (height - end_height));
  }
  if (low > high) return;
  OverlapPart& part = parts.emplace_back();
  part.face = face_index;
  part.edge = 0;
  part.start = low;
  part.end = high;
  part.length = scale * frame.query.push.share * face.share * 2 * (high - low) * length_across(step, frame.n);
  for (int e = 0; e < 2; ++e) {
    part.point[e] = from + (e == 0 ? low : high) * step;
    Vector3d over = part.point[e];
    for (int k = 0; k < 3; ++k) {
      if (const double h = frame.side[k].height(over); h < 0 && breadth(k) > 0) over -= h * frame.side[k].inward;
    }
    part.distance[e] = frame.distance(over);
    part.ramp[e] = frame.ramp(over);
    part.feature[e] = feature_of(frame, face.id[e], PointOf::kLine, 0);
  }
}

// Fades out along edge k, beyond its ends: at a valley as the triangle itself does there, at a flat edge not at all,
// since the neighbour goes on.
double edge_ramp(const Frame& frame, int k, const Vector3d& x) {
  const SurfaceTriangle& t = frame.t;
  const Vector3d edge = t.vertex[next(k)] - t.vertex[k], offset = x - t.vertex[k];
  const Vector3d foot = offset - offset.dot(frame.n) * frame.n;
  const double length = edge.norm(), place = offset.dot(edge) / length;
  const double fade = std::min(kFadeHeight * length, kFadeBody * frame.query.body_scale);
  double product = 1;
  for (const int e : {next(k), next(next(k))}) {
    const Side& side = frame.side[e];
    const double beyond_end = e == next(k) ? place - length : -place;
    if (t.edge[e] == EdgeKind::kFlat) {
      if (!side.has(side.height(x))) return 0;
    } else if (side.fade > 0) {
      const double beyond = side.outward.dot(foot + t.vertex[k] - t.vertex[e]);
      product *= std::clamp(1 - beyond / side.fade, 0.0, 1.0);
    } else {
      product *= std::clamp(1 - beyond_end / fade, 0.0, 1.0);
    }
  }
  return product;
}

// Fades out beside vertex k: a body that its ridges hold up, along one of the peak's own normals, is not on the peak.
double vertex_ramp(const Frame& frame, int k, const Vector3d& x) {
  const Vector3d& v = frame.t.vertex[k];
  const double length = std::min((frame.t.vertex[next(k)] - v).norm(), (frame.t.vertex[(k + 2) % 3] - v).norm());
  const double fade = std::min(kFadeHeight * length, kFadeBody * frame.query.body_scale);
  return std::max(0.0, 1 - length_across(x - v, frame.n) / fade);
}

// How much a point of the body counts for this triangle.
double point_ramp(const Frame& frame, const Vector3d& x) {
  if (frame.query.push.feature == PushDirection::Feature::kVertex) return vertex_ramp(frame, frame.query.push.k, x);
  if (frame.query.push.feature == PushDirection::Feature::kEdge) return edge_ramp(frame, frame.query.push.k, x);
  for (int k = 0; k < 3; ++k) {
    const double slack = is_ridge(frame.t, k) ? kRidgeSlack * frame.query.body_scale : 0;
    if (!frame.side[k].has(frame.side[k].height(x) + slack)) return 0;
  }
  return frame.ramp(x);
}

void add_point_part(const Frame& frame, int index, double weight, double ramp, double distance,
                    std::vector<OverlapPart>& parts) {
  const BodyPoint& point = frame.query.body.points[index];
  OverlapPart& part = parts.emplace_back();
  part.face = frame.query.body.faces.count + index;
  part.edge = -1;
  part.length = weight * frame.query.body.measure;
  for (int e = 0; e < 2; ++e) {
    part.point[e] = point.place;
    part.distance[e] = distance;
    part.ramp[e] = ramp;
    part.feature[e] = feature_of(frame, point.id, PointOf::kPoint, 0);
  }
}

void add_point(const Frame& frame, int index, std::vector<OverlapPart>& parts) {
  const BodyPoint& point = frame.query.body.points[index];
  const PushDirection& push = frame.query.push;
  if (!(point.weight > 0)) return;
  const double ramp = point_ramp(frame, point.place);
  if (!(ramp > 0)) return;
  const double distance = push.feature == PushDirection::Feature::kFace
                              ? frame.distance(point.place)
                              : (point.place - frame.t.vertex[push.k]).dot(frame.n);
  add_point_part(frame, index, push.ridge_share * point.weight, ramp, distance, parts);
}

// A vertex that completes the faces counts as they do: where it is over the triangle. Faces go over a ridge bit by bit,
// a point would all at once, and beyond it the faces need not miss it: towards ridges, however flat, it fades.
double missing_ramp(const Frame& frame, const Vector3d& x) {
  double product = frame.ramp(x);
  for (int k = 0; k < 3; ++k) {
    const Side& side = frame.side[k];
    const double height = side.height(x);
    if (!side.has(height)) return 0;
    if (!is_ridge(frame.t, k)) continue;
    product *= std::min(1.0, height / fade_of(frame.query, k, side.outward));
  }
  return product;
}

void add_missing(const Frame& frame, int index, double scale, std::vector<OverlapPart>& parts) {
  const BodyPoint& point = frame.query.body.points[index];
  if (!(point.missing > 0)) return;
  const double ramp = missing_ramp(frame, point.place);
  if (!(ramp > 0)) return;
  add_point_part(frame, index, scale * frame.query.push.share * point.missing, ramp, frame.distance(point.place),
                 parts);
}

// The triangle's edge `k` under a face of the body: all there is of a triangle seen edge-on.
void add_edge_under(const Frame& frame, int k, int face_index, double scale, std::vector<OverlapPart>& parts) {
  const SupportFace& face = frame.query.body.faces.face[face_index];
  const double face_fit = -face.normal.dot(frame.n);
  if (face_fit < kSteep) return;
  const Vector3d from = frame.t.vertex[k], step = frame.t.vertex[next(k)] - from;
  double low = 0, high = 1;
  for (int i = 0; i < face.count; ++i) {
    const Vector3d& a = face.vertex[i];
    const Vector3d inward = (face.vertex[i + 1 < face.count ? i + 1 : 0] - a).cross(frame.n);
    const double height = inward.dot(from - a), end_height = inward.dot(from + step - a);
    if (height < 0 && end_height < 0) return;
    if (height < 0) low = std::max(low, height / (height - end_height));
    if (end_height < 0) high = std::min(high, height / (height - end_height));
  }
  if (low > high) return;
  OverlapPart& part = parts.emplace_back();
  part.face = face_index;
  part.edge = -1;
  part.length = scale * frame.query.push.ridge_share * face.share * 2 * (high - low) * length_across(step, frame.n);
  for (int e = 0; e < 2; ++e) {
    const Vector3d x = from + (e == 0 ? low : high) * step;
    part.distance[e] = face.normal.dot(face.vertex[0] - x) / -face_fit;
    part.point[e] = x + part.distance[e] * frame.n;
    part.ramp[e] = 1;
    part.feature[e] = feature_of(frame, face.id[0], PointOf::kEdgeUnder, 2 * k + e);
  }
}

// Likewise under a line of the body: where the two cross, or the middle of the line if they run along each other.
void add_crossing(const Frame& frame, int k, int face_index, double scale, std::vector<OverlapPart>& parts) {
  const SupportFace& face = frame.query.body.faces.face[face_index];
  const Vector3d edge = frame.t.vertex[next(k)] - frame.t.vertex[k], step = face.vertex[1] - face.vertex[0];
  const Vector3d across = frame.n.cross(edge);
  const double slope = across.dot(step);
  const double offset = across.dot(frame.t.vertex[k] - face.vertex[0]);
  const double place = std::abs(slope) > 1e-9 * edge.norm() * step.norm() ? std::clamp(offset / slope, 0.0, 1.0) : 0.5;
  const Vector3d x = face.vertex[0] + place * step;
  const double ramp = edge_ramp(frame, k, x);
  if (!(ramp > 0)) return;
  OverlapPart& part = parts.emplace_back();
  part.face = face_index;
  part.edge = -1;
  part.length = scale * frame.query.push.ridge_share * face.share * 2 * length_across(step, frame.n);
  for (int e = 0; e < 2; ++e) {
    part.point[e] = x;
    part.distance[e] = (x - frame.t.vertex[k]).dot(frame.n);
    part.ramp[e] = ramp;
    part.feature[e] = feature_of(frame, face.id[0], PointOf::kCrossing, k);
  }
}

}  // namespace

void add_overlap(const OverlapQuery& query, std::vector<OverlapPart>& parts) {
  const Frame frame = make_frame(query);
  const bool at_face = query.push.feature == PushDirection::Feature::kFace;
  const double face_on = at_face ? 1 : std::clamp((frame.fit - kEdgeOn) / (kFaceOn - kEdgeOn), 0.0, 1.0);
  for (int i = 0; i < query.body.faces.count; ++i) {
    const SupportFace& face = query.body.faces.face[i];
    if (face_on > 0 && face.count == 2) add_segment(frame, i, face_on, parts);
    if (face_on > 0 && face.count > 2) add_polygon(frame, i, face_on, parts);
    if (face_on < 1 && face.count == 2) add_crossing(frame, query.push.k, i, 1 - face_on, parts);
    if (face_on < 1 && face.count > 2) add_edge_under(frame, query.push.k, i, 1 - face_on, parts);
  }
  for (int i = 0; i < static_cast<int>(query.body.points.size()); ++i) {
    add_point(frame, i, parts);
    if (face_on > 0) add_missing(frame, i, face_on, parts);
  }
}

}  // namespace stickslip
