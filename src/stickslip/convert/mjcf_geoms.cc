#include <fmt/format.h>

#include <algorithm>

#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"

namespace stickslip::convert {
namespace {

constexpr int kLastGroup = 5;         // MuJoCo has six
constexpr int kLastVisibleGroup = 2;  // its viewer hides the others at first

std::string subject_of(const MjcfSink& sink, int body) { return "body '" + sink.model.bodies[body].name + "'"; }

// Type, size and asset of a shape. False: MuJoCo has no such thing here.
class ShapeWriter {
 public:
  ShapeWriter(MjcfSink& sink, int body, const Geometry& geometry, pugi::xml_node node)
      : sink_(sink), body_(body), geometry_(geometry), node_(node), pose_(geometry.pose) {}

  bool write() { return std::visit(*this, geometry_.shape); }
  const Pose& pose() const { return pose_; }

  bool operator()(const HalfSpace&) {
    const bool stands = sink_.model.bodies[body_].link == 0 || sink_.tree.bodies[body_].mocap;
    if (!stands) note("moving-plane", "half-spaces that move are left out: MuJoCo has none");
    return stands && set("plane", {0, 0, 1});
  }
  bool operator()(const Sphere& s) { return set("sphere", {s.radius}); }
  bool operator()(const Box& s) { return set("box", {s.size.x() / 2, s.size.y() / 2, s.size.z() / 2}); }
  bool operator()(const Capsule& s) { return set("capsule", {s.radius, s.length / 2}); }
  bool operator()(const Cylinder& s) { return set("cylinder", {s.radius, s.length / 2}); }
  bool operator()(const Ellipsoid& s) { return set("ellipsoid", {s.radii.x(), s.radii.y(), s.radii.z()}); }
  bool operator()(const ConvexMesh& s) { return set_mesh(*s.mesh); }
  bool operator()(const TriangleMesh& s) {
    if (geometry_.collides) {
      note("mesh-hull", "meshes whose triangles collide here collide as their convex hulls in MuJoCo");
    }
    return set_mesh(*s.mesh);
  }
  bool operator()(const HeightField& s);

 private:
  bool set(const char* type, const std::vector<double>& size) {
    set_text(node_, "type", type);
    if (!size.empty()) set_numbers(node_, "size", size);
    return true;
  }

  void note(const char* code, const char* message) {
    sink_.notes.add(code, geometry_.where, subject_of(sink_, body_), message);
  }

  bool set_mesh(const Mesh& mesh) {
    constexpr size_t kLeastVertices = 4;
    if (mesh.vertices.size() < kLeastVertices) {
      note("flat-mesh", "meshes of fewer than four vertices are left out");
      return false;
    }
    const AssetFiles::MeshName asset = sink_.assets.add_mesh(mesh);
    if (asset.is_new) {
      pugi::xml_node out = sink_.out.asset.append_child("mesh");
      set_text(out, "name", asset.name);
      set_text(out, "file", asset.file);
      set_text(out, "inertia", "shell");  // asks for no volume: many meshes are open or flat
    }
    set("mesh", {});
    set_text(node_, "mesh", asset.name);
    return true;
  }

  MjcfSink& sink_;
  int body_;
  const Geometry& geometry_;
  pugi::xml_node node_;
  Pose pose_;
};

// MuJoCo's heights go from 0 to 1 times an elevation, the first row at +y: the lowest point sinks to the frame.
bool ShapeWriter::operator()(const HeightField& s) {
  constexpr double kThinnest = 1e-6;  // [m], of elevations and bases, which must be positive
  const HeightGrid& grid = *s.grid;
  const auto [lowest, highest] = std::minmax_element(grid.heights.begin(), grid.heights.end());
  const double low = *lowest, elevation = std::max(*highest - low, kThinnest);
  const std::string name = fmt::format("heights_{}", std::distance(sink_.out.asset.begin(), sink_.out.asset.end()));
  pugi::xml_node out = sink_.out.asset.append_child("hfield");
  set_text(out, "name", name);
  set_numbers(out, "nrow", {static_cast<double>(grid.rows)});
  set_numbers(out, "ncol", {static_cast<double>(grid.columns)});
  set_numbers(out, "size", {s.size.x() / 2, s.size.y() / 2, elevation, std::max(s.size.z() + low, kThinnest)});
  std::vector<double> elevations;
  for (int r = grid.rows - 1; r >= 0; --r) {
    const auto row = grid.heights.begin() + static_cast<std::ptrdiff_t>(r) * grid.columns;
    elevations.insert(elevations.end(), row, row + grid.columns);
  }
  for (double& x : elevations) x -= low;
  set_numbers(out, "elevation", elevations);
  pose_ = pose_ * Pose::at({0, 0, low});
  set_text(node_, "type", "hfield");
  set_text(node_, "hfield", name);
  return true;
}

bool is_mesh(const Shape& shape) {
  return std::holds_alternative<ConvexMesh>(shape) || std::holds_alternative<TriangleMesh>(shape);
}

// Names of geometries may be missing or shared, those of geoms may not be shared. A contact pair means the one that
// collides.
void set_name(MjcfSink& sink, const Geometry& geometry, bool touches, pugi::xml_node node) {
  if (geometry.name.empty()) return;
  const auto& pairs = sink.scene.contact_pairs;
  const bool paired = std::any_of(pairs.begin(), pairs.end(), [&](const ContactPair& pair) {
    return pair.geometry_a == geometry.name || pair.geometry_b == geometry.name;
  });
  const std::string name = unused_name(sink.geom_names, geometry.name + (paired && !touches ? "_" : ""));
  if (name != geometry.name) {
    sink.notes.add("renamed", geometry.where, "geometry '" + geometry.name + "'",
                   "geometries that share a name are told apart by '_' behind it");
  }
  set_text(node, "name", name);
}

void set_contact(const MjcfContact& contact, pugi::xml_node node) {
  const MjcfContact standard;
  set_number(node, "condim", contact.condim, standard.condim);
  set_number(node, "priority", contact.priority, standard.priority);
  if (contact.friction != standard.friction) set_numbers(node, "friction", contact.friction.data(), 3);
  set_number(node, "solmix", contact.solmix, standard.solmix);
  if (contact.solref != standard.solref) set_numbers(node, "solref", contact.solref.data(), 2);
  if (contact.solimp != standard.solimp) set_numbers(node, "solimp", contact.solimp.data(), 5);
  set_number(node, "margin", contact.margin, 0);
  set_number(node, "gap", contact.gap, 0);
}

// MuJoCo's surface velocity is in the geom's axes, which are a mesh's principal ones.
void set_surface_velocity(MjcfSink& sink, int body, const Geometry& geometry, pugi::xml_node node) {
  if (geometry.surface_velocity.isZero(0)) return;
  if (is_mesh(geometry.shape)) {
    sink.notes.add("surface-velocity", geometry.where, subject_of(sink, body),
                   "surface velocities of meshes are left out");
    return;
  }
  const Vector3d v = geometry.pose.rotation.transpose() * geometry.surface_velocity;
  set_numbers(node, "surfacevel", {v.x(), v.y(), v.z(), 0, 0, 0});
}

void set_looks(MjcfSink& sink, const Geometry& geometry, pugi::xml_node node) {
  const bool transparent = geometry.color[3] == 0;
  int group = std::clamp(geometry.group, 0, kLastGroup);
  if (geometry.visible) group = std::min(group, kLastVisibleGroup);
  if (!geometry.visible && !transparent) group = std::max(group, kLastVisibleGroup + 1);
  if (group != geometry.group && geometry.group != 0) {
    sink.notes.add("drawing-group", geometry.where, "",
                   "MuJoCo has drawing groups 0 to 5 and hides those from 3: visible geometries are drawn in 0 to 2");
  }
  set_number(node, "group", group, 0);
  if (geometry.color != Geometry().color) set_numbers(node, "rgba", geometry.color.data(), 4);
}

// A hull without thickness is an error in MuJoCo, so flat meshes that collide here only show there.
bool is_flat(const Mesh& mesh) {
  constexpr double kThin = 1e-5;  // of the mesh's size; MuJoCo's vertices are rounded to 32-bit floats
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& v : mesh.vertices) mean += v / static_cast<double>(mesh.vertices.size());
  Matrix3d scatter = Matrix3d::Zero();
  for (const Vector3d& v : mesh.vertices) scatter += (v - mean) * (v - mean).transpose();
  const PrincipalInertia spread = principal_inertia(scatter);
  return !(spread.moments[0] > kThin * kThin * spread.moments[2]);
}

bool can_collide(MjcfSink& sink, int body, const Geometry& geometry) {
  const auto* convex = std::get_if<ConvexMesh>(&geometry.shape);
  const auto* triangles = std::get_if<TriangleMesh>(&geometry.shape);
  const Mesh* mesh = convex ? convex->mesh.get() : triangles ? triangles->mesh.get() : nullptr;
  if (!mesh || !is_flat(*mesh)) return true;
  sink.notes.add("flat-mesh", geometry.where, subject_of(sink, body),
                 "meshes without thickness do not collide in MuJoCo; they are drawn only");
  return false;
}

void write_geom(MjcfSink& sink, int body, int index, const Geometry& geometry, pugi::xml_node parent) {
  pugi::xml_node node = parent.append_child("geom");
  const double mass = sink.masses.mass(body, index);  // 0: nothing touches it
  const bool touches = mass > 0 && can_collide(sink, body, geometry);
  set_name(sink, geometry, touches, node);
  ShapeWriter shape(sink, body, geometry, node);
  if (!shape.write()) {
    parent.remove_child(node);
    return;
  }
  set_pose(node, shape.pose());
  const bool filtered = touches && geometry.collides;
  set_number(node, "contype", filtered ? static_cast<std::int32_t>(geometry.contype) : 0, 1);
  set_number(node, "conaffinity", filtered ? static_cast<std::int32_t>(geometry.conaffinity) : 0, 1);
  const Material material = find_material(sink, geometry.material);
  if (touches || material.mjcf) set_contact(contact_of(sink, material, mass), node);
  if (touches) sink.touchable.insert(geometry.name);
  set_surface_velocity(sink, body, geometry, node);
  set_looks(sink, geometry, node);
}

}  // namespace

void write_geoms(MjcfSink& sink, int body, const std::vector<Geometry>& geometry, pugi::xml_node node) {
  for (size_t i = 0; i < geometry.size(); ++i) write_geom(sink, body, static_cast<int>(i), geometry[i], node);
}

}  // namespace stickslip::convert
