// Questions about the geometry of a running simulation.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace stickslip::python {
namespace {

struct RayHitView {
  double distance;
  Vector3d point, normal;
  std::string body, geometry;
};

int body_index(const Simulator& simulator, const NameOrIndex& key) {
  return index_of(key, simulator.model().body_names(), "body");
}

std::tuple<double, Vector, Vector> distance(const Simulator& simulator, const NameOrIndex& a, const NameOrIndex& b) {
  const int body_a = body_index(simulator, a), body_b = body_index(simulator, b);
  const std::optional<BodyDistance> found = simulator.distance(body_a, body_b);
  if (!found) {
    const auto& bodies = simulator.model().bodies;
    throw nb::value_error(fmt::format("no distance between '{}' and '{}': at least one has no geometry that collides, "
                                      "or both are half-spaces, triangle meshes or height fields",
                                      bodies[body_a].name, bodies[body_b].name)
                              .c_str());
  }
  return {found->distance, copy(VectorXd(found->point_a)), copy(VectorXd(found->point_b))};
}

std::optional<RayHitView> raycast(const Simulator& simulator, const VectorIn& origin, const VectorIn& direction,
                                  double max_distance, const std::optional<NameOrIndex>& ignore) {
  const int ignored = ignore ? body_index(simulator, *ignore) : -1;
  const Vector3d from = read(origin, 3, "origin"), along = read(direction, 3, "direction");
  const std::optional<SceneRayHit> found = simulator.raycast(from, along, max_distance, ignored);
  if (!found) return {};
  return RayHitView{found->hit.distance, found->hit.point, found->hit.normal,
                    simulator.model().bodies[found->body].name,
                    simulator.collision_model().geometries[found->geometry].name};
}

std::vector<std::tuple<std::string, std::string, double>> overlaps(const Simulator& simulator) {
  const auto& bodies = simulator.model().bodies;
  std::vector<std::tuple<std::string, std::string, double>> out;
  for (const BodyOverlap& overlap : simulator.overlaps())
    out.emplace_back(bodies[overlap.body_a].name, bodies[overlap.body_b].name, overlap.depth);
  return out;
}

}  // namespace

void bind_ray_hit(nb::module_& m) {
  nb::class_<RayHitView>(m, "RayHit", "Where a ray first meets something.")
      .def_ro("distance", &RayHitView::distance, "from the origin of the ray [m]")
      .def_prop_ro(
          "point", [](const RayHitView& h) { return copy(VectorXd(h.point)); }, nb::rv_policy::reference)
      .def_prop_ro(
          "normal", [](const RayHitView& h) { return copy(VectorXd(h.normal)); },
          "of the surface, unit, towards the side the ray comes from", nb::rv_policy::reference)
      .def_ro("body", &RayHitView::body, "its name")
      .def_ro("geometry", &RayHitView::geometry, "its name; may be empty")
      .def("__repr__", [](const RayHitView& h) {
        return fmt::format("RayHit(distance={:g}, body='{}', geometry='{}')", h.distance, h.body, h.geometry);
      });
}

void bind_queries(nb::class_<Simulator>& simulator) {
  using namespace nb::literals;
  simulator
      .def("distance", &distance, "body_a"_a, "body_b"_a, nb::rv_policy::reference,
           "(d, p_a, p_b): signed distance of two bodies (negative: depth of their overlap) and the points on both "
           "where it is taken, world axes. Of all geometry that collides, whatever the filters say.")
      .def("raycast", &raycast, "origin"_a, "direction"_a, "max_distance"_a = kInfinity, "ignore"_a = nb::none(),
           "The first surface that a ray meets, or None; `ignore` is a body it passes through. Surfaces are met from "
           "both sides.")
      .def("overlaps", &overlaps,
           "[(body_a, body_b, depth)]: the bodies that overlap and may collide, and by how much at the deepest point.");
}

}  // namespace stickslip::python
