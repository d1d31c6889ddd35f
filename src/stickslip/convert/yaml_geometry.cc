#include <fmt/format.h>

#include <algorithm>

#include "stickslip/convert/exact_text.h"
#include "stickslip/convert/yaml_sink.h"

namespace stickslip::convert {
namespace {

constexpr size_t kMostHeightsInline = 100;

// The key of a shape and what it holds.
using ShapeText = std::pair<std::string, YamlText>;

struct ShapeWriter {
  YamlSink& sink;

  ShapeText operator()(const HalfSpace&) const { return {"half_space", YamlText::map()}; }
  ShapeText operator()(const Sphere& s) const {
    return {"sphere", YamlText::map().set("radius", YamlText::number(s.radius))};
  }
  ShapeText operator()(const Box& s) const { return {"box", YamlText::map().set("size", YamlText::vector(s.size))}; }
  ShapeText operator()(const Capsule& s) const { return {"capsule", round(s.radius, s.length)}; }
  ShapeText operator()(const Cylinder& s) const { return {"cylinder", round(s.radius, s.length)}; }
  ShapeText operator()(const Ellipsoid& s) const {
    return {"ellipsoid", YamlText::map().set("radii", YamlText::vector(s.radii))};
  }
  ShapeText operator()(const ConvexMesh& s) const { return {"mesh", mesh(*s.mesh)}; }
  ShapeText operator()(const TriangleMesh& s) const {
    return {"mesh", mesh(*s.mesh).set("convex", YamlText::flag(false))};
  }
  ShapeText operator()(const HeightField& s) const {
    YamlText out = YamlText::map();
    out.set("size", YamlText::numbers(s.size.data(), 2)).set("thickness", YamlText::number(s.size.z()));
    out.set("heights", heights(*s.grid));
    return {"height_field", out};
  }

 private:
  static YamlText round(double radius, double length) {
    return YamlText::map().set("radius", YamlText::number(radius)).set("length", YamlText::number(length));
  }
  YamlText mesh(const Mesh& mesh) const {
    return YamlText::map().set("file", YamlText::text(sink.assets.add_mesh(mesh).file));
  }
  YamlText heights(const HeightGrid& grid) const {
    if (grid.heights.size() > kMostHeightsInline) return YamlText::text(sink.assets.add_table("heights", grid));
    YamlText rows = YamlText::list();
    for (int r = 0; r < grid.rows; ++r) {
      const auto columns = static_cast<size_t>(grid.columns);
      rows.add(YamlText::numbers(&grid.heights[static_cast<size_t>(r) * columns], columns));
    }
    return rows;
  }
};

// Scene files have 31 bits, MJCF 32.
void set_bits(YamlSink& sink, const Geometry& geometry, const char* key, std::uint32_t bits, YamlText& out) {
  constexpr std::uint32_t kAll = 0x7fffffff;
  if ((bits & ~kAll) != 0) {
    sink.notes.add("contact-bits", geometry.where, "", "the highest bit of contype and conaffinity is left out");
  }
  set_number(out, key, bits & kAll, 1);
}

void set_looks(YamlSink& sink, const Geometry& geometry, YamlText& out) {
  if (!geometry.visible) out.set("visible", YamlText::flag(false));
  constexpr int kMostGroups = 31;
  const int group = std::clamp(geometry.group, 0, kMostGroups);
  if (group != geometry.group) {
    sink.notes.add("drawing-group", geometry.where, "", fmt::format("drawing groups end at {}", kMostGroups));
  }
  set_number(out, "group", group, 0);
  std::array<double, 4> color = geometry.color;
  for (double& x : color) x = std::clamp(x, 0.0, 1.0);
  if (color != Geometry().color) out.set("color", YamlText::numbers(color.data(), color[3] == 1 ? 3 : 4));
}

}  // namespace

YamlText yaml_geometry(YamlSink& sink, const Geometry& geometry, const std::string& material) {
  YamlText out = YamlText::map();
  auto [key, shape] = std::visit(ShapeWriter{sink}, geometry.shape);
  out.set(key, std::move(shape));
  if (!geometry.name.empty()) out.set("name", YamlText::text(geometry.name));
  set_pose(out, "pose", geometry.pose);
  if (!material.empty()) out.set("material", YamlText::text(material));
  if (!geometry.surface_velocity.isZero(0)) out.set("surface_velocity", YamlText::vector(geometry.surface_velocity));
  if (!geometry.collides) out.set("collides", YamlText::flag(false));
  set_bits(sink, geometry, "contype", geometry.contype, out);
  set_bits(sink, geometry, "conaffinity", geometry.conaffinity, out);
  set_looks(sink, geometry, out);
  return out;
}

}  // namespace stickslip::convert
