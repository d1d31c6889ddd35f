#include "stickslip/scene/mjcf_mesh.h"

#include <fmt/format.h>

#include <Eigen/Jacobi>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "stickslip/shapes/mesh_file.h"
#include "stickslip/shapes/mesh_mass.h"

namespace stickslip::mjcf {
namespace {

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

Mesh inline_mesh(const XmlElement& own) {
  const std::vector<double> coordinates = *own.numbers("vertex", 12, kAnyNumber);
  if (coordinates.size() % 3 != 0) {
    throw ModelError("wrong-count", own.where("vertex"), "the count of numbers in 'vertex' is not a multiple of 3");
  }
  Mesh mesh;
  for (std::size_t i = 0; i < coordinates.size(); i += 3) {
    mesh.vertices.emplace_back(coordinates[i], coordinates[i + 1], coordinates[i + 2]);
  }
  const std::vector<double> indices = own.numbers("face", 3, kAnyNumber).value_or(std::vector<double>());
  if (indices.size() % 3 != 0) {
    throw ModelError("wrong-count", own.where("face"), "the count of numbers in 'face' is not a multiple of 3");
  }
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    std::array<int, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const double index = indices[i + k];
      if (index < 0 || index >= static_cast<double>(mesh.vertices.size()) || index != std::floor(index)) {
        throw ModelError("bad-face", own.where("face"), "a face refers to a vertex that does not exist",
                         fmt::format("{}", index), fmt::format("write whole numbers below {}", mesh.vertices.size()));
      }
      triangle[k] = static_cast<int>(index);
    }
    mesh.triangles.push_back(triangle);
  }
  return mesh;
}

Mesh mesh_from_file(const XmlElement& own, const Compiler& compiler) {
  const std::string file = compiler.asset_path(own);
  const std::string type = own.text("content_type", "");
  const Location from = own.where("file");
  if (type == "model/obj") return read_mesh(file, MeshFormat::kObj, from);
  if (type == "model/stl") return read_mesh(file, MeshFormat::kStl, from);
  if (type == "model/vnd.mujoco.msh") return read_mesh(file, MeshFormat::kMsh, from);
  const std::optional<MeshFormat> format = mesh_format_of(file);
  if (format == MeshFormat::kDae || format == MeshFormat::kGltf || format == MeshFormat::kPly) {
    throw ModelError("unsupported-mesh-format", from, "MJCF has no meshes of this type; expected .obj, .stl or .msh",
                     file, "convert the mesh to OBJ or STL");
  }
  return read_mesh(file, from);
}

// Not inlined: GCC 12 at -O3 takes a vectorised double -> float -> double for the identity.
[[gnu::noinline]] float nearest_float(double value) { return static_cast<float>(value); }

// MuJoCo keeps what it reads as 32-bit floats, and all that follows in double precision.
void round_to_float(Mesh& mesh) {
  for (Vector3d& vertex : mesh.vertices) {
    for (double& coordinate : vertex) coordinate = nearest_float(coordinate);
  }
}

// MuJoCo turns a mesh into its principal axes by Jacobi rotations, each of which removes the largest product of
// inertia, and drops what is left once it is small. Without this step inertias would differ from MuJoCo's in the eighth
// digit.
Matrix3d without_small_products(const Matrix3d& inertia) {
  constexpr double kSmall = 1e-7;  // relative to the largest entry
  constexpr int kMostRotations = 100;
  const double small = kSmall * inertia.cwiseAbs().maxCoeff();
  Matrix3d axes = Matrix3d::Identity();
  Matrix3d turned = inertia;
  for (int k = 0; k < kMostRotations; ++k) {
    Eigen::Index row = 0, column = 0;
    const Matrix3d products = turned.triangularView<Eigen::StrictlyUpper>();
    if (products.cwiseAbs().maxCoeff(&row, &column) <= small) break;
    Eigen::JacobiRotation<double> rotation;
    rotation.makeJacobi(turned, row, column);
    axes.applyOnTheRight(row, column, rotation);
    turned = axes.transpose() * inertia * axes;
  }
  return axes * turned.diagonal().asDiagonal() * axes.transpose();
}

MeshInertia inertia_mode(const MjcfElement& element) {
  const std::string word = element.keyword("inertia", {"legacy", "convex", "exact", "shell"}, "legacy");
  if (word == "convex") return MeshInertia::kConvex;
  if (word == "exact") return MeshInertia::kExact;
  return word == "shell" ? MeshInertia::kShell : MeshInertia::kLegacy;
}

// Faults of meshes without a file are the element's.
template <typename Make>
auto at_element(const XmlElement& own, Make make) {
  try {
    return make();
  } catch (const ModelError& error) {
    if (!error.where().file.empty()) throw;
    throw ModelError(error.code(), own.where(), error.message(), error.text(), error.fix());
  }
}

}  // namespace

int object_count(const Mesh& mesh) {
  std::size_t named = 0;
  for (const Mesh::Named& part : mesh.named) named += static_cast<std::size_t>(part.count);
  return static_cast<int>(mesh.named.size()) + (named < mesh.triangles.size() ? 1 : 0);
}

std::string asset_name(const XmlElement& element) {
  if (const auto name = element.text("name")) return *name;
  std::string file = element.text("file", "");
  std::replace(file.begin(), file.end(), '\\', '/');
  return std::filesystem::path(file).stem().string();
}

Mesh load_mesh(const MjcfElement& element, const Compiler& compiler) {
  const XmlElement& own = element.own();
  if (own.has("builtin") || own.child("plugin")) {
    throw ModelError("unsupported-mesh", own.where(), "meshes made by MuJoCo (builtin or plugin) are not supported", "",
                     "save the model from MuJoCo, which writes their vertices out");
  }
  Mesh mesh = own.has("vertex") ? inline_mesh(own) : mesh_from_file(own, compiler);
  mesh.parts.clear();  // MJCF has materials of its own, and passes over those of OBJ files
  round_to_float(mesh);
  const Vector3d scale = element.vector3("scale", Vector3d::Ones());
  const Vector3d origin = own.vector3("refpos", Vector3d::Zero());
  Matrix3d rotation = Matrix3d::Identity();
  if (const auto q = own.numbers("refquat", 4, 4)) {
    rotation = Quaterniond((*q)[0], (*q)[1], (*q)[2], (*q)[3]).normalized().toRotationMatrix();
  }
  for (Vector3d& vertex : mesh.vertices) vertex = scale.cwiseProduct(rotation.transpose() * (vertex - origin));
  if (mesh.triangles.empty()) return at_element(own, [&] { return convex_hull(mesh); });
  if (scale.prod() < 0) {
    for (std::array<int, 3>& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
  }
  return mesh;
}

MassProperties unit_mesh_mass(const MjcfElement& element, const Mesh& mesh) {
  MassProperties out = at_element(element.own(), [&] { return mesh_mass_properties(mesh, inertia_mode(element)); });
  out.inertia = without_small_products(out.inertia);
  return out;
}

}  // namespace stickslip::mjcf
