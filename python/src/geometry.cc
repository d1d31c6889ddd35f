#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "gil.h"
#include "stickslip/geometry/collision_model.h"
#include "stickslip/geometry/find_contacts.h"

namespace stickslip::python {
namespace {

using Poses = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;

// A geometry of a model, free of its body: to be asked about at any pose.
struct ColliderView {
  std::shared_ptr<const CollisionModel> model;
  int index;
  const CollisionGeometry& geometry() const { return model->geometries[index]; }
  const Collider& collider() const { return geometry().collider; }
};

std::vector<ColliderView> colliders(const Model& model) {
  const auto collision = std::make_shared<const CollisionModel>(make_collision_model(model));
  std::vector<ColliderView> views;
  for (int i = 0; i < static_cast<int>(collision->geometries.size()); ++i) views.push_back({collision, i});
  return views;
}

// One pose (4, 4) or many (n, 4, 4).
size_t pose_count(const Poses& poses, const char* name) {
  const bool one = poses.ndim() == 2, many = poses.ndim() == 3;
  const size_t last = poses.ndim() - 1;
  if ((!one && !many) || poses.shape(last) != 4 || poses.shape(last - 1) != 4)
    throw nb::value_error((std::string(name) + " must be an array of shape (4, 4) or (n, 4, 4)").c_str());
  return one ? 1 : poses.shape(0);
}

Placed place(const ColliderView& view, const Poses& poses, size_t i) {
  using RowMajor = Eigen::Matrix<double, 4, 4, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> X(poses.data() + (poses.ndim() == 3 ? 16 * i : 0));
  return {&view.collider(), X.topLeftCorner<3, 3>(), X.topRightCorner<3, 1>()};
}

void check_can_touch(const ColliderView& a, const ColliderView& b) {
  if (!a.collider().is_convex() && !b.collider().is_convex())
    throw nb::value_error("half-spaces, triangle meshes and height fields have no contacts among themselves");
}

using Separations = std::tuple<Vector, Matrix, Matrix, Matrix>;

Separations separations(const ColliderView& a, const ColliderView& b, const Poses& poses_a, const Poses& poses_b) {
  const size_t count_a = pose_count(poses_a, "pose_a"), count_b = pose_count(poses_b, "pose_b");
  const size_t count = std::max(count_a, count_b);
  if ((count_a != 1 && count_a != count) || (count_b != 1 && count_b != count))
    throw nb::value_error("pose_a and pose_b must have as many poses as each other, or one of them a single one");
  check_can_touch(a, b);
  VectorXd distance(count);
  MatrixXd normal(count, 3), point_a(count, 3), point_b(count, 3);
  {
    const WithoutGil release;
    for (size_t i = 0; i < count; ++i) {
      Placed placed_a = place(a, poses_a, count_a == 1 ? 0 : i), placed_b = place(b, poses_b, count_b == 1 ? 0 : i);
      const Vector3d origin = move_to_local_origin(placed_a, placed_b);
      const Separation s = separation(placed_a, placed_b);
      distance[i] = s.distance;
      normal.row(i) = s.normal;
      point_a.row(i) = s.point_a + origin;
      point_b.row(i) = s.point_b + origin;
    }
  }
  return {copy(distance), copy(normal), copy(point_a), copy(point_b)};
}

using Contacts = std::tuple<Matrix, Matrix, Vector, Vector, std::vector<std::uint64_t>>;

Contacts contacts(const ColliderView& a, const ColliderView& b, const Poses& pose_a, const Poses& pose_b, double reach,
                  int max_points) {
  if (pose_count(pose_a, "pose_a") != 1 || pose_count(pose_b, "pose_b") != 1)
    throw nb::value_error("contacts takes one pose of each");
  if (max_points < 4) throw nb::value_error("max_points must be at least 4");
  check_can_touch(a, b);
  ContactWorkspace workspace;
  Placed placed_a = place(a, pose_a, 0), placed_b = place(b, pose_b, 0);
  const Vector3d origin = move_to_local_origin(placed_a, placed_b);
  collide(placed_a, placed_b, reach, workspace, max_points);
  int count = 0;
  for (const Manifold& manifold : workspace.manifolds) count += manifold.count;
  MatrixXd point(count, 3), normal(count, 3);
  VectorXd distance(count), weight(count);
  std::vector<std::uint64_t> feature;
  int row = 0;
  for (const Manifold& manifold : workspace.manifolds) {
    for (int i = 0; i < manifold.count; ++i, ++row) {
      const ManifoldPoint& at = manifold.points[i];
      point.row(row) = origin + at.point_a + 0.5 * at.distance * manifold.normal;
      normal.row(row) = manifold.normal;
      distance[row] = at.distance;
      weight[row] = at.weight;
      feature.push_back(at.feature);
    }
  }
  return {copy(point), copy(normal), copy(distance), copy(weight), feature};
}

}  // namespace

void bind_geometry(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<ColliderView>(m, "Collider", "A geometry of a model that collides, to be asked about at any pose.")
      .def_prop_ro("name", [](const ColliderView& c) { return c.geometry().name; })
      .def_prop_ro("kind", [](const ColliderView& c) { return std::string(collider_kind_name(c.collider().kind)); })
      .def_prop_ro("body", [](const ColliderView& c) { return c.geometry().body; }, "index into model.body_names");
  m.def("colliders", &colliders, "model"_a, "The geometries of a model that collide, by body and in file order.");
  m.def("separation", &separations, "a"_a, "b"_a, "pose_a"_a, "pose_b"_a,
        "Signed distance of A and B (negative: depth of the overlap), unit normal from A to B, and the nearest points "
        "on both. The poses X_WA and X_WB are (4, 4) or (n, 4, 4).",
        nb::rv_policy::reference);
  m.def("contacts", &contacts, "a"_a, "b"_a, "pose_a"_a, "pose_b"_a, "reach"_a = 0.0,
        "max_points"_a = kMaxManifoldPoints,
        "Contact points of A and B, halfway between the surfaces; normals from A to B; signed distances; weights, "
        "which share the pair's stiffness; and features, which name the points from one query to the next. Empty if A "
        "and B are farther apart than `reach`. A manifold has `max_points` at most, 4 to 8.",
        nb::rv_policy::reference);
}

}  // namespace stickslip::python
