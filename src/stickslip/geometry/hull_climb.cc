#include "stickslip/geometry/hull_climb.h"

#include <cmath>
#include <cstdint>

#include "stickslip/math/pack.h"

namespace stickslip {
namespace {

constexpr int kCells = 4;  // along each edge of the cube of directions

// Which cell of the cube a direction passes through: side by side, then by the other two coordinates.
int cell_of(const Vector3d& direction) {
  int side = 0;
  const double largest = direction.cwiseAbs().maxCoeff(&side);
  if (!(largest > 0)) return 0;
  const auto part = [&](double value) {
    return std::min(kCells - 1, static_cast<int>((value / largest + 1) * (0.5 * kCells)));
  };
  const int half = direction[side] < 0 ? 1 : 0;
  return ((2 * side + half) * kCells + part(direction[(side + 1) % 3])) * kCells + part(direction[(side + 2) % 3]);
}

Vector3d middle_of_cell(int cell) {
  const auto part = [](int k) { return (k + 0.5) * (2.0 / kCells) - 1; };
  const int second = cell % kCells, first = cell / kCells % kCells, side = cell / kCells / kCells;
  Vector3d middle;
  middle[side / 2] = side % 2 == 0 ? 1 : -1;
  middle[(side / 2 + 1) % 3] = part(first);
  middle[(side / 2 + 2) % 3] = part(second);
  return middle;
}

// On a convex surface a vertex above all its neighbours is the highest of all; level ground never needs crossing.
int climb(const Hull& hull, const Vector3d& direction, int vertex) {
  double height = direction.dot(hull.vertices[vertex]);
  for (int from = -1; from != vertex;) {
    from = vertex;
    for (int k = hull.climb_first[from]; k < hull.climb_first[from + 1]; ++k) {
      const int other = hull.climb_neighbors[k];
      const double value = direction.dot(hull.vertices[other]);
      if (value > height) {
        height = value;
        vertex = other;
      }
    }
  }
  return vertex;
}

// Four lanes, each with the highest value it has seen and where.
struct Best {
  Pack value, index;
};

inline void look(const Hull& hull, const Pack direction[3], int at, Best& best) {
  const Pack value = direction[0] * load_pack(&hull.x[at]) + direction[1] * load_pack(&hull.y[at]) +
                     direction[2] * load_pack(&hull.z[at]);
  const double start = at;
  const Pack index = {start, start + 1, start + 2, start + 3};
  const auto higher = value > best.value;
  best.value = higher ? value : best.value;
  best.index = higher ? index : best.index;
}

// Two chains of lanes, so that one's comparison need not wait for the other's.
int scan(const Hull& hull, const Vector3d& d) {
  const Pack direction[3] = {Pack{} + d.x(), Pack{} + d.y(), Pack{} + d.z()};
  const int count = static_cast<int>(hull.x.size());
  const Pack nothing = Pack{} - HUGE_VAL;
  Best even{nothing, Pack{}}, odd{nothing, Pack{}};
  int at = 0;
  for (; at + 8 <= count; at += 8) {
    look(hull, direction, at, even);
    look(hull, direction, at + 4, odd);
  }
  if (at < count) look(hull, direction, at, even);
  double value = even.value[0], index = even.index[0];
  for (const Best& best : {even, odd}) {
    for (int lane = 0; lane < kPackSize; ++lane) {
      if (best.value[lane] > value || (best.value[lane] == value && best.index[lane] < index)) {
        value = best.value[lane];
        index = best.index[lane];
      }
    }
  }
  return static_cast<int>(index);
}

}  // namespace

int support_vertex(const Hull& hull, const Vector3d& direction) {
  if (hull.climb_first.empty()) {
    // The padding repeats the last vertex, so that its index can only be beaten by itself.
    return scan(hull, direction);
  }
  return climb(hull, direction, hull.climb_start.empty() ? 0 : hull.climb_start[cell_of(direction)]);
}

void add_climb_start(Hull& hull) {
  if (hull.climb_first.empty()) return;
  std::vector<int> start;
  for (int cell = 0; cell < 6 * kCells * kCells; ++cell) {
    start.push_back(climb(hull, middle_of_cell(cell), start.empty() ? 0 : start.back()));
  }
  hull.climb_start = std::move(start);
}

}  // namespace stickslip
