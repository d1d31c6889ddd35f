// Feeds arbitrary finite shapes and poses to every query of two shapes. What must hold for all of them: no crash, no
// NaN, unit normals, weights that make sense, and nearest points that fit the distance.
#include <cmath>

#include "bytes.h"
#include "stickslip/geometry/find_contacts.h"
#include "stickslip/geometry/ray_cast.h"

namespace stickslip {
namespace {

using fuzzing::Bytes, fuzzing::require;

std::shared_ptr<Mesh> mesh(Bytes& bytes) {
  auto out = std::make_shared<Mesh>();
  const int count = 3 + bytes.below(14);
  const double scale = bytes.length();
  for (int i = 0; i < count; ++i) out->vertices.push_back(scale * bytes.point());
  const int triangles = 1 + bytes.below(12);
  for (int i = 0; i < triangles; ++i)
    out->triangles.push_back({bytes.below(count), bytes.below(count), bytes.below(count)});
  return out;
}

Shape convex_shape(Bytes& bytes) {
  switch (bytes.below(6)) {
    case 0:
      return Sphere{bytes.length()};
    case 1:
      return Box{bytes.lengths()};
    case 2: {
      const double radius = bytes.length();
      return Capsule{radius, bytes.length()};
    }
    case 3: {
      const double radius = bytes.length();
      return Cylinder{radius, bytes.length()};
    }
    case 4:
      return Ellipsoid{bytes.lengths()};
    default:
      return ConvexMesh{mesh(bytes)};
  }
}

Shape height_field(Bytes& bytes) {
  auto grid = std::make_shared<HeightGrid>();
  grid->rows = 2 + bytes.below(4);
  grid->columns = 2 + bytes.below(4);
  for (int i = 0; i < grid->rows * grid->columns; ++i) grid->heights.push_back(bytes.coordinate());
  return HeightField{grid, bytes.lengths()};
}

Shape any_shape(Bytes& bytes) {
  switch (bytes.below(8)) {
    case 0:
      return HalfSpace{};
    case 1:
      return TriangleMesh{mesh(bytes)};
    case 2:
      return height_field(bytes);
    default:
      return convex_shape(bytes);
  }
}

Placed place(const Collider& collider, Bytes& bytes) {
  const int turn = bytes.below(4);
  Quaterniond q = Quaterniond::Identity();
  if (turn == 1) q = Quaterniond(0, 1, 0, 0);
  if (turn == 2) q = Quaterniond(M_SQRT1_2, 0, M_SQRT1_2, 0);
  if (turn == 3) {
    q = Quaterniond(1, bytes.coordinate(), bytes.coordinate(), bytes.coordinate());
    q.normalize();
  }
  return {&collider, q.toRotationMatrix(), bytes.point()};
}

void check(const Separation& s, double scale) {
  require(!std::isnan(s.distance), "distance is a number");
  if (!std::isfinite(s.distance)) return;
  require(std::abs(s.normal.norm() - 1) < 1e-9, "normal is unit");
  require(s.point_a.allFinite() && s.point_b.allFinite(), "points are finite");
  require((s.point_a + s.distance * s.normal - s.point_b).norm() <= 1e-9 * (scale + std::abs(s.distance)),
          "points fit distance and normal");
}

void check(const std::vector<Manifold>& manifolds, bool is_surface) {
  double sum = 0;
  for (const Manifold& manifold : manifolds) {
    require(std::abs(manifold.normal.norm() - 1) < 1e-9, "a manifold's normal is unit");
    require(manifold.count >= 1 && manifold.count <= kMaxManifoldPoints, "one to eight points");
    for (int i = 0; i < manifold.count; ++i) {
      const ManifoldPoint& point = manifold.points[i];
      require(point.point_a.allFinite() && std::isfinite(point.distance), "a contact is finite");
      require(point.weight >= 0 && point.weight <= 1 + 1e-9, "weights are shares");
      sum += point.weight;
    }
  }
  if (!is_surface && !manifolds.empty()) require(std::abs(sum - 1) < 1e-9, "weights sum to one");
}

void run(Bytes& bytes) {
  const Collider a = make_collider(any_shape(bytes)), b = make_collider(convex_shape(bytes));
  const Placed placed_a = place(a, bytes), placed_b = place(b, bytes);
  const double scale = 1e3 + b.scale();
  const Separation between = separation(placed_a, placed_b);
  check(between, scale);
  const double reach = bytes.below(2) ? bytes.length() : 0;
  ContactWorkspace workspace;
  collide(placed_a, placed_b, reach, workspace);
  const bool is_surface = a.kind >= ColliderKind::kTriangleMesh;
  check(workspace.manifolds, is_surface);
  const double round_off =
      1e-12 * scale;  // two ways to the same distance: which side of touching they are on is chance
  if (!is_surface && std::abs(between.distance - reach) > round_off)
    require(workspace.manifolds.empty() == (between.distance > reach), "contacts where the distance says");
  const Vector3d direction = bytes.point();
  if (!(direction.norm() > 1e-12)) return;
  const auto hit = ray_cast(placed_a, {bytes.point(), direction.normalized()});
  if (hit) require(hit->distance >= 0 && hit->point.allFinite() && std::abs(hit->normal.norm() - 1) < 1e-9, "a hit");
}

}  // namespace
}  // namespace stickslip

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stickslip::fuzzing::Bytes bytes(data, size);
  stickslip::run(bytes);
  return 0;
}
