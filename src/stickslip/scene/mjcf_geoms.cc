#include "stickslip/scene/mjcf_geoms.h"

#include <fmt/format.h>

#include <cmath>

#include "stickslip/scene/mjcf_fit.h"
#include "stickslip/scene/mjcf_materials.h"
#include "stickslip/shapes/mass.h"

namespace stickslip::mjcf {
namespace {

constexpr double kWaterDensity = 1000;  // MuJoCo's default [kg/m^3]
constexpr int kLastVisibleGroup = 2;    // MuJoCo's viewer hides the others at first

int sizes_needed(const std::string& type) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return 2;
  return type == "box" || type == "ellipsoid" ? 3 : 0;
}

void check_sizes(const MjcfElement& element, const std::string& type, const std::array<double, 3>& size) {
  const int needed = sizes_needed(type);
  for (int k = 0; k < needed; ++k) {
    if (size[k] > 0) continue;
    throw ModelError("bad-size", element.where("size"),
                     fmt::format("size {} of {} geom '{}' is not positive", k + 1, type, element.text("name", "")),
                     element.text("size", ""),
                     fmt::format("a {} needs {} positive size{}", type, needed, needed > 1 ? "s" : ""));
  }
}

Shape primitive(const std::string& type, const std::array<double, 3>& size) {
  if (type == "plane") return HalfSpace{};
  if (type == "sphere") return Sphere{size[0]};
  if (type == "capsule") return Capsule{size[0], 2 * size[1]};
  if (type == "cylinder") return Cylinder{size[0], 2 * size[1]};
  const Vector3d vector(size[0], size[1], size[2]);
  if (type == "ellipsoid") return Ellipsoid{vector};
  return Box{2 * vector};
}

// Shape and pose in the frame the geom is written in.
void read_shape(Context& context, const MjcfElement& element, const std::string& type, Geometry& out) {
  const std::optional<std::string> mesh = element.text("mesh");
  if (type == "hfield") {
    out.shape = context.assets.height_field(element.text("hfield", ""), element.where("hfield"));
    out.pose = read_pose(element, context.compiler);
  } else if (type == "mesh" || type == "sdf") {
    out.shape = ConvexMesh{context.assets.mesh(mesh.value_or(""), element.where("mesh")).mesh};
    out.pose = read_pose(element, context.compiler);
    if (type == "sdf") {
      context.warn_once("unsupported-geom", element.where("type"),
                        "sdf geoms collide as the convex hull of their mesh");
    }
  } else if (mesh && type != "plane") {
    const FittedShape fitted = fit_to_mesh(context, element, type, *mesh);
    out.shape = primitive(type, fitted.size);
    out.pose = read_pose(element, context.compiler) * fitted.pose;
  } else {
    const Placement placement = read_placement(element, context.compiler, type);
    check_sizes(element, type, placement.size);
    out.shape = primitive(type, placement.size);
    out.pose = placement.pose;
  }
}

void read_looks(Context& context, const MjcfElement& element, Geometry& out) {
  constexpr std::array<double, 4> kUnset{0.5, 0.5, 0.5, 1};
  out.color = kUnset;
  element.overlay("rgba", out.color);
  if (out.color == kUnset) {
    std::string material = element.text("material", "");
    if (material.empty() && std::holds_alternative<ConvexMesh>(out.shape) && element.has("mesh")) {
      material = context.assets.mesh(element.text("mesh", ""), element.where("mesh")).material;
    }
    if (const auto color = context.assets.material_color(material)) {
      out.color = *color;
    } else if (!material.empty()) {
      context.warn_once("unknown-material", element.where("material"),
                        fmt::format("there is no material '{}'; the geom is grey", material));
    }
  }
  out.group = element.integer("group", 0);
  out.visible = out.group <= kLastVisibleGroup && out.color[3] > 0;
}

void read_surface_velocity(Context& context, const MjcfElement& element, Geometry& out) {
  std::array<double, 6> velocity{};  // linear and angular, in the geom's axes
  element.overlay("surfacevel", velocity);
  out.surface_velocity = out.pose.rotation * Vector3d(velocity[0], velocity[1], velocity[2]);
  if (velocity[3] != 0 || velocity[4] != 0 || velocity[5] != 0) {
    context.warn_once("unsupported-attribute", element.where("surfacevel"),
                      "the rotating part of 'surfacevel' is not supported and left out");
  }
}

std::uint32_t read_mask(const MjcfElement& element, std::string_view attribute) {
  const double value = element.number(attribute, 1);
  constexpr double kLargest = 4294967295.0;
  if (value != std::floor(value) || value < -2147483648.0 || value > kLargest) {
    throw ModelError("bad-number", element.where(attribute), fmt::format("'{}' is not a 32-bit mask", attribute),
                     element.text(attribute, ""), "write a whole number");
  }
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(value));
}

MassProperties read_inertia(Context& context, const MjcfElement& element, const Geometry& geometry) {
  const bool has_mass = !std::holds_alternative<HalfSpace>(geometry.shape);
  const bool in_group =
      geometry.group >= context.compiler.first_inertia_group && geometry.group <= context.compiler.last_inertia_group;
  const std::optional<double> mass = element.number("mass");
  const double density = element.number("density", kWaterDensity);
  for (const char* attribute : {"mass", "density"}) {
    if (element.number(attribute, 0) < 0) {
      throw ModelError("negative-mass", element.where(attribute), fmt::format("'{}' of a geom is negative", attribute),
                       element.text(attribute, ""), "give a number that is zero or more");
    }
  }
  // Massless geoms need no volume: many are flat meshes for the eye.
  if (!has_mass || !in_group || (mass ? *mass == 0 : density == 0)) return {};
  MassProperties unit;
  if (std::holds_alternative<ConvexMesh>(geometry.shape)) {
    unit = context.assets.mesh_mass(element.text("mesh", ""), element.where("mesh"));
  } else {
    const bool is_hill = std::holds_alternative<HeightField>(geometry.shape);
    const Shape shape =
        is_hill ? context.assets.height_field_box(element.text("hfield", ""), element.where("hfield")) : geometry.shape;
    unit = element.flag("shellinertia", false) ? shell_mass_properties(shape, 1) : mass_properties(shape, 1);
  }
  return expressed_in(geometry.pose, with_mass(unit, mass ? *mass : density * unit.mass));
}

}  // namespace

Placement read_placement(const MjcfElement& element, const Compiler& compiler, const std::string& type) {
  Placement out;
  element.overlay("size", out.size);
  const bool elongated = type == "capsule" || type == "cylinder" || type == "box" || type == "ellipsoid";
  const auto ends = elongated ? element.numbers("fromto", 6, 6) : std::nullopt;
  if (!ends) {
    out.pose = read_pose(element, compiler);
    return out;
  }
  const Vector3d from((*ends)[0], (*ends)[1], (*ends)[2]), to((*ends)[3], (*ends)[4], (*ends)[5]);
  if (from == to) {
    throw ModelError("bad-size", element.where("fromto"), "the two points of 'fromto' coincide",
                     element.text("fromto", ""), "give two different points");
  }
  const double half_length = (to - from).norm() / 2;
  // MuJoCo's z points from the second point to the first, whatever its documentation says.
  out.pose = {rotation_to_z(from - to), (from + to) / 2};
  const bool round = type == "capsule" || type == "cylinder";
  out.size = round ? std::array{out.size[0], half_length, 0.0} : std::array{out.size[0], out.size[0], half_length};
  return out;
}

Geom read_geom(Context& context, const MjcfElement& element, const Pose& X_BF) {
  const std::string type = element.keyword(
      "type", {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"}, "sphere");
  Geometry geometry;
  geometry.where = element.where();
  read_shape(context, element, type, geometry);
  geometry.pose = X_BF * geometry.pose;
  geometry.contype = read_mask(element, "contype");
  geometry.conaffinity = read_mask(element, "conaffinity");
  geometry.collides = geometry.contype != 0 || geometry.conaffinity != 0;
  read_looks(context, element, geometry);
  read_surface_velocity(context, element, geometry);
  geometry.material = contact_material(context, element);
  MassProperties inertia = read_inertia(context, element, geometry);
  return {std::move(geometry), inertia};
}

}  // namespace stickslip::mjcf
