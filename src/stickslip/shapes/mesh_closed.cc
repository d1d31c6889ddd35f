#include "stickslip/shapes/mesh_closed.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace stickslip {
namespace {

// For each vertex the first one at its place.
std::vector<int> places(const std::vector<Vector3d>& vertices) {
  std::vector<int> order(vertices.size());
  std::iota(order.begin(), order.end(), 0);
  const auto key = [&](int i) {
    const Vector3d& v = vertices[static_cast<std::size_t>(i)];
    return std::tuple(v.x(), v.y(), v.z());
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  std::vector<int> out(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    out[static_cast<std::size_t>(order[i])] = same ? out[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  return out;
}

}  // namespace

bool is_closed(const Mesh& mesh) {
  if (mesh.triangles.empty()) return false;
  const std::vector<int> place = places(mesh.vertices);
  std::vector<std::pair<int, int>> along, against;
  for (const std::array<int, 3>& triangle : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = place[static_cast<std::size_t>(triangle[k])];
      const int to = place[static_cast<std::size_t>(triangle[(k + 1) % 3])];
      if (from == to) continue;  // a side without length
      along.emplace_back(from, to);
      against.emplace_back(to, from);
    }
  }
  std::sort(along.begin(), along.end());
  std::sort(against.begin(), against.end());
  return along == against;
}

}  // namespace stickslip
