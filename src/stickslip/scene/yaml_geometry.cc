#include "stickslip/scene/yaml_geometry.h"

#include <fmt/format.h>

#include "stickslip/scene/robot_context.h"
#include "stickslip/scene/yaml_motion.h"

namespace stickslip {
namespace {

// `parts` is for shapes that collide as several convex ones.
using ShapeReader = Shape (*)(YamlMap& map, const YamlContext& context, MeshParts& parts);

Shape read_sphere(YamlMap& map, const YamlContext&, MeshParts&) {
  return Sphere{.radius = map.required_number("radius", Bound::kPositive)};
}

Shape read_box(YamlMap& map, const YamlContext&, MeshParts&) {
  return Box{.size = to_vector(map.require("size", "add 'size: [x, y, z]', full lengths in metres"), map.of("size"),
                               Bound::kPositive)};
}

Shape read_capsule(YamlMap& map, const YamlContext&, MeshParts&) {
  return Capsule{.radius = map.required_number("radius", Bound::kPositive),
                 .length = map.required_number("length", Bound::kPositive)};
}

Shape read_cylinder(YamlMap& map, const YamlContext&, MeshParts&) {
  return Cylinder{.radius = map.required_number("radius", Bound::kPositive),
                  .length = map.required_number("length", Bound::kPositive)};
}

Shape read_ellipsoid(YamlMap& map, const YamlContext&, MeshParts&) {
  return Ellipsoid{.radii = to_vector(map.require("radii"), map.of("radii"), Bound::kPositive)};
}

Shape read_half_space(YamlMap&, const YamlContext&, MeshParts&) { return HalfSpace{}; }

Vector3d read_scale(YamlMap& map) {
  const YamlValue* value = map.find("scale");
  if (!value) return Vector3d::Ones();
  Vector3d scale =
      value->is_list() ? to_vector(*value, map.of("scale")) : Vector3d::Constant(to_number(*value, map.of("scale")));
  if ((scale.array() == 0).any()) {
    throw ModelError("bad-value", value->where(), map.of("scale") + " is zero", value->scalar,
                     "write 1 to keep the size");
  }
  return scale;
}

Shape read_mesh_shape(YamlMap& map, const YamlContext& context, MeshParts& parts) {
  const YamlValue& file_value = map.require("file", "add 'file: part.obj' (OBJ, STL, COLLADA or glTF)");
  const Vector3d scale = read_scale(map);
  const std::optional<Decomposition> decomposition = read_decomposition(map);
  const bool convex = map.flag("convex", true);
  const std::string file = context.resolve(to_text(file_value, map.of("file")), file_value.where());
  auto mesh = read_scaled_mesh(file, scale, file_value.where());
  if (decomposition) {
    parts = find_parts(file, *decomposition, scale, file_value.where(), context.options);
    return TriangleMesh{std::move(mesh)};
  }
  if (convex) return ConvexMesh{std::move(mesh)};
  return TriangleMesh{std::move(mesh)};
}

Shape read_height_field(YamlMap& map, const YamlContext& context, MeshParts&) {
  const YamlValue& size_value = map.require("size", "add 'size: [x, y]', full extent in metres");
  const std::vector<double> size = to_numbers(size_value, map.of("size"), 2, 2, Bound::kPositive);
  const double thickness = map.number("thickness", 0.1, Bound::kNonNegative);
  const YamlValue& heights = map.require("heights", "add 'heights: [[...], ...]' or 'heights: file.csv'");
  const std::vector<std::vector<double>> rows = read_rows(heights, map.of("heights"), context);
  const auto refuse = [&](const std::string& message) {
    throw ModelError("bad-heights", heights.where(), message, heights.scalar,
                     "give at least 2 rows of at least 2 heights, all rows of one length; the first row is at -y");
  };
  if (rows.size() < 2 || rows[0].size() < 2) refuse(map.of("heights") + " are too few for a surface");
  auto grid = std::make_shared<HeightGrid>();
  grid->rows = static_cast<int>(rows.size());
  grid->columns = static_cast<int>(rows[0].size());
  for (const std::vector<double>& row : rows) {
    if (row.size() != rows[0].size()) refuse(map.of("heights") + " have rows of different lengths");
    grid->heights.insert(grid->heights.end(), row.begin(), row.end());
  }
  return HeightField{.grid = std::move(grid), .size = {size[0], size[1], thickness}};
}

const std::vector<std::pair<std::string, ShapeReader>>& shape_readers() {
  static const std::vector<std::pair<std::string, ShapeReader>> kReaders{
      {"sphere", read_sphere},         {"box", read_box},
      {"capsule", read_capsule},       {"cylinder", read_cylinder},
      {"ellipsoid", read_ellipsoid},   {"mesh", read_mesh_shape},
      {"half_space", read_half_space}, {"height_field", read_height_field}};
  return kReaders;
}

// `half_space: {}` and `half_space:` both say all there is to say, so an empty value is found too.
const YamlEntry* find_entry(const YamlValue& value, const std::string& key) {
  for (const YamlEntry& entry : value.entries) {
    if (entry.key() == key) return &entry;
  }
  return nullptr;
}

Shape read_shape(const YamlValue& value, YamlMap& geometry, const YamlContext& context, MeshParts& parts) {
  const YamlEntry* found = nullptr;
  ShapeReader reader = nullptr;
  for (const auto& [name, shape_reader] : shape_readers()) {
    geometry.find(name);  // makes it a known key
    const YamlEntry* entry = find_entry(value, name);
    if (!entry) continue;
    if (found) {
      throw ModelError("two-shapes", entry->key_where(),
                       fmt::format("{} is both a {} and a {}", geometry.what(), found->key(), name), name,
                       "make two geometries of them");
    }
    found = entry;
    reader = shape_reader;
  }
  if (!found) {
    geometry.done();  // a misspelt shape is told apart from a missing one
    geometry.fail("no-shape", geometry.what() + " has no shape",
                  "add one of sphere, box, capsule, cylinder, ellipsoid, mesh, half_space, height_field");
  }
  YamlMap map(*found->value, fmt::format("{} of {}", found->key(), geometry.what()));
  Shape shape = reader(map, context, parts);
  map.done();
  return shape;
}

std::optional<std::array<double, 4>> read_color(YamlMap& map) {
  const YamlValue* value = map.find("color");
  if (!value) return {};
  const std::vector<double> rgba = to_numbers(*value, map.of("color"), 3, 4, Bound::kNonNegative);
  for (double x : rgba) {
    if (x > 1) {
      throw ModelError("bad-value", value->where(), map.of("color") + " is outside 0 to 1", fmt::format("{}", x),
                       "write red, green, blue and optionally opacity, each from 0 to 1");
    }
  }
  return std::array<double, 4>{rgba[0], rgba[1], rgba[2], rgba.size() == 4 ? rgba[3] : 1};
}

// A colour in the scene is meant for all of a mesh, whatever colours its file has.
void drop_own_colors(Shape& shape) {
  const auto drop = [](std::shared_ptr<const Mesh>& mesh) {
    if (mesh->parts.empty()) return;
    auto plain = std::make_shared<Mesh>(*mesh);
    plain->parts.clear();
    mesh = std::move(plain);
  };
  if (auto* convex = std::get_if<ConvexMesh>(&shape)) drop(convex->mesh);
  if (auto* triangles = std::get_if<TriangleMesh>(&shape)) drop(triangles->mesh);
}

std::uint32_t read_bits(YamlMap& map, const std::string& key) {
  constexpr double kLargest = 2147483647;
  return static_cast<std::uint32_t>(map.integer(key, 1, 0, kLargest));
}

}  // namespace

YamlGeometry read_geometry(const YamlValue& value, const std::string& body, const YamlContext& context) {
  YamlMap map(value, "a geometry of " + body);
  YamlGeometry out;
  Geometry& geometry = out.whole;
  geometry.where = map.where();
  geometry.name = map.text("name", "");
  if (!geometry.name.empty()) map.set_what(fmt::format("geometry '{}' of {}", geometry.name, body));
  geometry.pose = map.pose();
  geometry.material = map.text("material", "");
  geometry.surface_velocity = map.vector("surface_velocity", Vector3d::Zero());
  geometry.collides = map.flag("collides", true);
  geometry.visible = map.flag("visible", true);
  constexpr double kMostGroups = 31;
  geometry.group = map.integer("group", 0, 0, kMostGroups);
  geometry.contype = read_bits(map, "contype");
  geometry.conaffinity = read_bits(map, "conaffinity");
  const std::optional<std::array<double, 4>> color = read_color(map);
  geometry.shape = read_shape(value, map, context, out.parts);
  if (color) {
    geometry.color = *color;
    drop_own_colors(geometry.shape);
  }
  map.done();
  return out;
}

std::vector<Geometry> split(const YamlGeometry& geometry) {
  const Geometry& whole = geometry.whole;
  if (geometry.parts.empty()) return {whole};
  std::vector<Geometry> out;
  if (whole.visible) {
    out.push_back(whole);
    out.back().collides = false;
    out.back().name.clear();  // a contact pair that names it would let the whole collide
  }
  for (size_t i = 0; i < geometry.parts.size(); ++i) {
    Geometry& part = out.emplace_back(whole);
    part.shape = ConvexMesh{geometry.parts[i]};
    part.visible = false;
    if (!whole.name.empty()) part.name = fmt::format("{}_{}", whole.name, i);
  }
  return out;
}

}  // namespace stickslip
