#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <unordered_map>
#include <vector>

#include "stickslip/base/error.h"
#include "stickslip/shapes/mesh_mass.h"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace stickslip {
namespace {

// Owns qhull's memory; qhull leaves by longjmp on errors, so nothing with a destructor may live between its calls.
class Qhull {
 public:
  Qhull() : silence_(std::fopen("/dev/null", "w")), qh_(std::make_unique<qhT>()) { qh_zero(qh_.get(), silence_); }
  ~Qhull() {
    qh_freeqhull(qh_.get(), !qh_ALL);
    int long_blocks = 0, long_bytes = 0;
    qh_memfreeshort(qh_.get(), &long_blocks, &long_bytes);
    if (silence_) std::fclose(silence_);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  qhT* get() const { return qh_.get(); }

  // Qt: triangles only. Returns qhull's exit code, 0 if all went well.
  int run(std::vector<double>& points, int count) {
    char command[] = "qhull Qt";
    return qh_new_qhull(qh_.get(), 3, count, points.data(), False, command, silence_, silence_);
  }

 private:
  std::FILE* silence_;  // qhull explains its errors on stderr otherwise
  std::unique_ptr<qhT> qh_;
};

int hull_index(Mesh& hull, std::unordered_map<int, int>& indices, const Mesh& mesh, int point) {
  const auto [entry, is_new] = indices.try_emplace(point, static_cast<int>(hull.vertices.size()));
  if (is_new) hull.vertices.push_back(mesh.vertices[point]);
  return entry->second;
}

}  // namespace

Mesh convex_hull(const Mesh& mesh) {
  std::vector<double> points;
  points.reserve(3 * mesh.vertices.size());
  for (const Vector3d& vertex : mesh.vertices) points.insert(points.end(), vertex.data(), vertex.data() + 3);
  Qhull qhull;
  if (qhull.run(points, static_cast<int>(mesh.vertices.size())) != 0) {
    throw ModelError("flat-mesh", {mesh.file}, "the mesh has no convex hull with a volume: its vertices lie in a plane",
                     "", "give the mesh thickness, or use another shape");
  }
  Mesh hull;
  hull.file = mesh.file;
  std::unordered_map<int, int> indices;
  qhT* qh = qhull.get();
  facetT* facet;
  FORALLfacets {
    std::array<int, 3> triangle{};
    setT* corners = qh_facet3vertex(qh, facet);  // clockwise seen from outside
    for (int k = 0; k < 3; ++k) {
      const vertexT* vertex = static_cast<vertexT*>(corners->e[k].p);
      triangle[2 - k] = hull_index(hull, indices, mesh, qh_pointid(qh, vertex->point));
    }
    qh_settempfree(qh, &corners);
    hull.triangles.push_back(triangle);
  }
  return hull;
}

}  // namespace stickslip
