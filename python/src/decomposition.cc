#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "gil.h"
#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/mesh_mass.h"

namespace stickslip::python {
namespace {

using Vertices = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Triangles = nb::ndarray<const std::int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

Mesh make_part(const Vertices& vertices, const Triangles& triangles) {
  Mesh part;
  for (size_t i = 0; i < vertices.shape(0); ++i)
    part.vertices.emplace_back(vertices(i, 0), vertices(i, 1), vertices(i, 2));
  for (size_t i = 0; i < triangles.shape(0); ++i)
    part.triangles.push_back({triangles(i, 0), triangles(i, 1), triangles(i, 2)});
  return part;
}

void write(const std::string& file, const std::vector<std::pair<Vertices, Triangles>>& arrays) {
  std::vector<Mesh> parts;
  for (const auto& [vertices, triangles] : arrays) parts.push_back(make_part(vertices, triangles));
  write_parts(file, parts);
}

std::pair<Matrix, std::vector<std::array<int, 3>>> read_solid(const std::string& file) {
  const Mesh mesh = read_mesh(file);
  if (mesh.triangles.empty()) throw ModelError("bad-mesh", {file}, "the mesh has no triangles");
  convex_hull(mesh);  // refuses flat meshes, which would abort the process that decomposes them
  MatrixXd vertices(mesh.vertices.size(), 3);
  for (size_t i = 0; i < mesh.vertices.size(); ++i) vertices.row(static_cast<Eigen::Index>(i)) = mesh.vertices[i];
  return {copy(vertices), mesh.triangles};
}

}  // namespace

bool decompose_in_python(const std::string& mesh_file, const Decomposition& how) {
  const WithGil hold;
  const nb::object fill = nb::module_::import_("stickslip._decomposition").attr("fill_cache");
  return nb::cast<bool>(fill(mesh_file, how.threshold, how.max_hulls));
}

std::string expand_xacro_in_python(const std::string& file, const std::vector<std::string>& package_path) {
  const WithGil hold;
  const nb::object expand = nb::module_::import_("stickslip._xacro").attr("expand");
  return nb::cast<std::string>(expand(file, package_path));
}

void bind_decomposition(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "parts_file",
      [](const std::string& file, double threshold, int max_hulls) { return parts_file(file, {threshold, max_hulls}); },
      "mesh_file"_a, "threshold"_a, "max_hulls"_a, "Where the convex parts of a mesh file are cached.");
  m.def(
      "count_parts", [](const std::string& file) { return read_parts(file).size(); }, "file"_a,
      "Of a file of the cache; raises ModelError if it is missing or damaged.");
  m.def("write_parts", &write, "file"_a, "parts"_a, "Each part is an array of vertices and one of triangles.");
  m.def("read_solid", &read_solid, "mesh_file"_a, "Vertices and triangles of a mesh file; flat ones are refused.",
        nb::rv_policy::reference);
}

}  // namespace stickslip::python
