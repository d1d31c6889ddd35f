#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "stickslip/model/compiler.h"

// Sizes and places beyond which no contact could be computed: a double has 16 digits, and at a thousand kilometres a
// tenth of a nanometre is the last.
namespace stickslip::compiler {
namespace {

constexpr double kFarthest = 1e6;  // [m]

struct Extent {
  double operator()(const HalfSpace&) const { return 0; }
  double operator()(const Sphere& x) const { return x.radius; }
  double operator()(const Box& x) const { return x.size.cwiseAbs().maxCoeff(); }
  double operator()(const Capsule& x) const { return std::max(x.radius, x.length); }
  double operator()(const Cylinder& x) const { return std::max(x.radius, x.length); }
  double operator()(const Ellipsoid& x) const { return x.radii.cwiseAbs().maxCoeff(); }
  double operator()(const ConvexMesh& x) const { return of(*x.mesh); }
  double operator()(const TriangleMesh& x) const { return of(*x.mesh); }
  double operator()(const HeightField& x) const {
    double out = x.size.cwiseAbs().maxCoeff();
    for (const double height : x.grid->heights) out = std::max(out, std::abs(height));
    return out;
  }

  static double of(const Mesh& mesh) {
    double out = 0;
    for (const Vector3d& vertex : mesh.vertices) out = std::max(out, vertex.cwiseAbs().maxCoeff());
    return out;
  }
};

void check(const std::vector<Geometry>& geometries, const std::string& body) {
  for (const Geometry& geometry : geometries) {
    const double size = std::visit(Extent(), geometry.shape), place = geometry.pose.position.cwiseAbs().maxCoeff();
    if (!geometry.collides || (size <= kFarthest && place <= kFarthest)) continue;
    throw ModelError("too-far", geometry.where,
                     fmt::format("a geometry of body '{}' reaches {:.3g} m, beyond {:.3g} m", body,
                                 std::max(size, place), kFarthest),
                     "", "check its units: lengths are in metres; meshes in millimetres need a scale of 0.001");
  }
}

}  // namespace

void check_extents(const Scene& scene) {
  check(scene.world_geometry, kWorld);
  for (const Body& body : scene.bodies) check(body.geometry, body.name);
}

}  // namespace stickslip::compiler
