#include "stickslip/geometry/hull_climb.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "stickslip/math/pack.h"

namespace stickslip {
namespace {

constexpr int kCells = 8;             // along each edge of the cube of directions
constexpr double kNoLength = 1e-300;  // of a direction

// Which cell of the cube a direction passes through: side by side, then by the other two coordinates.
int cell_of(const Vector3d& direction) {
  const Vector3d size = direction.cwiseAbs();
  const double larger = std::max(size.x(), size.y()), largest = std::max(larger, size.z());
  if (!(largest > kNoLength)) return 0;
  const int side = size.z() > larger ? 2 : size.y() > size.x() ? 1 : 0;
  constexpr int kNext[] = {1, 2, 0}, kAfterNext[] = {2, 0, 1};
  const double cells = 0.4999999 * kCells / largest;  // a little less than half: the edge itself is in the last cell
  const auto part = [cells](double value) { return static_cast<int>(value * cells + 0.5 * kCells); };
  const int face = 2 * side + (direction[side] < 0);
  return (face * kCells + part(direction[kNext[side]])) * kCells + part(direction[kAfterNext[side]]);
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

struct Heights {
  const double *x, *y, *z;
  Pack direction_x, direction_y, direction_z;

  Pack at(int first) const {
    return direction_x * load_pack(x + first) + direction_y * load_pack(y + first) + direction_z * load_pack(z + first);
  }
};

inline Pack larger(const Pack& a, const Pack& b) { return a > b ? a : b; }

double largest_of(const Pack& pack) { return std::max(std::max(pack[0], pack[1]), std::max(pack[2], pack[3])); }

// First the height alone, in four independent chains, then who has it: much less to carry along than index and height.
int scan(const Hull& hull, const Vector3d& d) {
  const Heights heights{hull.x.data(), hull.y.data(), hull.z.data(), Pack{} + d.x(), Pack{} + d.y(), Pack{} + d.z()};
  const int count = static_cast<int>(hull.x.size());
  Pack most[4];
  for (Pack& chain : most) chain = heights.at(0);
  int first = 0;
  for (; first + 16 <= count; first += 16) {
    for (int k = 0; k < 4; ++k) most[k] = larger(heights.at(first + 4 * k), most[k]);
  }
  for (; first < count; first += 4) most[0] = larger(heights.at(first), most[0]);
  const Pack target = Pack{} + largest_of(larger(larger(most[0], most[1]), larger(most[2], most[3])));
  first = 0;
  for (; first + 16 <= count; first += 16) {
    const auto found = (heights.at(first) == target) | (heights.at(first + 4) == target) |
                       (heights.at(first + 8) == target) | (heights.at(first + 12) == target);
    if ((found[0] | found[1]) | (found[2] | found[3])) break;
  }
  for (; first < count; first += 4) {
    const auto found = heights.at(first) == target;
    if (!((found[0] | found[1]) | (found[2] | found[3]))) continue;
    return found[0] ? first : found[1] ? first + 1 : found[2] ? first + 2 : first + 3;
  }
  return 0;
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
