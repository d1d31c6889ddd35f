#include "stickslip/geometry/simplex.h"

namespace stickslip {
namespace {

// Lower than this share of its longest sides a triangle is treated as an edge, a tetrahedron as its faces.
constexpr double kFlat = 1e-13;

// A part of a simplex by the indices of its points, with the nearest point to the origin.
struct Part {
  int count;
  std::array<int, 3> index;
  std::array<double, 3> weight;
  Vector3d nearest;
};

Part nearest_on_edge(const Simplex& simplex, int i, int j) {
  const Vector3d& start = simplex.points[i].w;
  const Vector3d& end = simplex.points[j].w;
  const Vector3d edge = end - start;
  const double along = -start.dot(edge), length2 = edge.squaredNorm();
  if (!(along > 0)) return {1, {i}, {1}, start};
  if (along >= length2) return {1, {j}, {1}, end};
  const double t = along / length2;
  // From the nearer end, for the sake of round-off.
  const Vector3d nearest = t < 0.5 ? Vector3d(start + t * edge) : Vector3d(end - (1 - t) * edge);
  return {2, {i, j}, {1 - t, t}, nearest};
}

void keep_nearer(const Part& other, Part& best) {
  if (other.nearest.squaredNorm() < best.nearest.squaredNorm()) best = other;
}

Part nearest_on_triangle(const Simplex& simplex, int i, int j, int k) {
  const Vector3d &a = simplex.points[i].w, &b = simplex.points[j].w, &c = simplex.points[k].w;
  const Vector3d ab = b - a, ac = c - a;
  const Vector3d normal = ab.cross(ac);
  const double area2 = normal.squaredNorm();
  if (!(area2 > kFlat * kFlat * ab.squaredNorm() * ac.squaredNorm())) {
    Part best = nearest_on_edge(simplex, i, j);
    keep_nearer(nearest_on_edge(simplex, j, k), best);
    keep_nearer(nearest_on_edge(simplex, i, k), best);
    return best;
  }
  const double at_a = normal.dot(b.cross(c)), at_b = normal.dot(c.cross(a)), at_c = normal.dot(a.cross(b));
  if (at_a > 0 && at_b > 0 && at_c > 0) {
    const double sum = at_a + at_b + at_c;
    return {3, {i, j, k}, {at_a / sum, at_b / sum, at_c / sum}, normal * (normal.dot(a) / area2)};
  }
  // The nearest point is on an edge that the origin is beyond.
  Part best{0, {}, {}, Vector3d::Constant(HUGE_VAL)};
  if (!(at_a > 0)) best = nearest_on_edge(simplex, j, k);
  if (!(at_b > 0)) keep_nearer(nearest_on_edge(simplex, i, k), best);
  if (!(at_c > 0)) keep_nearer(nearest_on_edge(simplex, i, j), best);
  return best;
}

// Whether the origin is beyond the face i, j, k of a tetrahedron, as seen from its fourth point l.
bool is_beyond(const Simplex& simplex, int i, int j, int k, int l) {
  const Vector3d& corner = simplex.points[k].w;
  const Vector3d normal = (simplex.points[i].w - corner).cross(simplex.points[j].w - corner);
  const Vector3d height = simplex.points[l].w - corner;
  const double inside = normal.dot(height), origin = -normal.dot(corner);
  if (inside * inside <= kFlat * kFlat * normal.squaredNorm() * height.squaredNorm()) return true;
  return inside > 0 ? origin < 0 : origin > 0;
}

// The last point is new: the origin is on its side of the others' face, or the search would not have gone there.
bool nearest_on_tetrahedron(const Simplex& simplex, Part& best) {
  best.nearest = Vector3d::Constant(HUGE_VAL);
  bool outside = false;
  for (int l = 0; l < 3; ++l) {
    const int i = (l + 1) % 3, j = (l + 2) % 3;
    if (!is_beyond(simplex, i, j, 3, l)) continue;
    outside = true;
    keep_nearer(nearest_on_triangle(simplex, i, j, 3), best);
  }
  return outside;
}

}  // namespace

Reduction reduce_to_nearest(Simplex& simplex, Vector3d& nearest) {
  Part part{1, {0}, {1}, simplex.points[0].w};
  if (simplex.count == 2) part = nearest_on_edge(simplex, 0, 1);
  if (simplex.count == 3) part = nearest_on_triangle(simplex, 0, 1, 2);
  if (simplex.count == 4 && !nearest_on_tetrahedron(simplex, part)) return Reduction::kInside;
  if (!(part.nearest.squaredNorm() < nearest.squaredNorm())) return Reduction::kNotNearer;
  if (part.count > 1 && part.index[0] > part.index[1]) {  // ascending, so that nothing is overwritten below
    std::swap(part.index[0], part.index[1]);
    std::swap(part.weight[0], part.weight[1]);
  }
  for (int k = 0; k < part.count; ++k) {
    if (part.index[k] != k) simplex.points[k] = simplex.points[part.index[k]];
    simplex.weights[k] = part.weight[k];
  }
  simplex.count = part.count;
  nearest = part.nearest;
  return Reduction::kNearer;
}

Vector3d feature_normal(const DifferencePoint& first, const DifferencePoint& second, const DifferencePoint& third) {
  const DifferencePoint* points[3] = {&first, &second, &third};
  Vector3d edges[3];
  bool is_pure[3];
  for (int k = 0; k < 3; ++k) {
    const DifferencePoint &from = *points[k], &to = *points[(k + 1) % 3];
    edges[k] = (to.b - from.b) - (to.a - from.a);
    is_pure[k] = from.piece_a == to.piece_a || from.piece_b == to.piece_b;
  }
  const int skip = !is_pure[0] ? 0 : !is_pure[1] ? 1 : 2;
  const Vector3d normal = edges[(skip + 1) % 3].cross(edges[(skip + 2) % 3]);
  const double area = normal.norm();
  return area > 0 ? Vector3d(normal / area) : Vector3d::Zero();
}

}  // namespace stickslip
