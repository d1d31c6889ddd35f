#include "stickslip/view/page_scene.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "stickslip/math/mass_properties.h"
#include "stickslip/model/coordinate_names.h"
#include "stickslip/view/page_mesh.h"

namespace stickslip {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Vector3d& x) { return {x.x(), x.y(), x.z()}; }

Json json_of(const Pose& pose) {
  const Quaterniond q = pose.quaternion();
  return {pose.position.x(), pose.position.y(), pose.position.z(), q.w(), q.x(), q.y(), q.z()};
}

constexpr double kThinnest = 0.05;   // side of a box that stands for an inertia, in its longest
constexpr double kPointSize = 0.05;  // [m] of a mass without inertia

Json limit(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// Shapes as the page knows them; meshes that geometries share are written once.
class ShapeWriter {
 public:
  explicit ShapeWriter(std::vector<std::string>& meshes) : meshes_(meshes) {}

  Json list = Json::array();  // of the meshes

  Json operator()(const HalfSpace&) { return {{"shape", "half_space"}}; }
  Json operator()(const Sphere& x) { return {{"shape", "sphere"}, {"radius", x.radius}}; }
  Json operator()(const Box& x) { return {{"shape", "box"}, {"size", json_of(x.size)}}; }
  Json operator()(const Capsule& x) { return {{"shape", "capsule"}, {"radius", x.radius}, {"length", x.length}}; }
  Json operator()(const Cylinder& x) { return {{"shape", "cylinder"}, {"radius", x.radius}, {"length", x.length}}; }
  Json operator()(const Ellipsoid& x) { return {{"shape", "ellipsoid"}, {"radii", json_of(x.radii)}}; }
  Json operator()(const ConvexMesh& x) { return shared(*x.mesh); }
  Json operator()(const TriangleMesh& x) { return shared(*x.mesh); }
  Json operator()(const HeightField& x) { return add(mesh_of(x)); }

 private:
  Json shared(const Mesh& mesh) {
    const auto found = index_.find(&mesh);
    if (found != index_.end()) return shape_of(found->second);
    index_[&mesh] = meshes_.size();
    return add(mesh);
  }

  Json add(const Mesh& mesh) {
    Json parts = Json::array();
    for (const Mesh::Part& part : mesh.parts)
      parts.push_back({{"first", part.first}, {"count", part.count}, {"color", part.color}});
    list.push_back(
        {{"vertices", mesh.vertices.size()}, {"triangles", mesh.triangles.size()}, {"parts", std::move(parts)}});
    meshes_.push_back(mesh_bytes(mesh));
    return shape_of(meshes_.size() - 1);
  }

  static Json shape_of(size_t mesh) { return {{"shape", "mesh"}, {"mesh", mesh}}; }

  std::vector<std::string>& meshes_;
  std::map<const Mesh*, size_t> index_;
};

Json json_of(const Geometry& geometry, ShapeWriter& shapes) {
  Json out = {{"name", geometry.name}};
  out.update(std::visit(shapes, geometry.shape));
  out["pose"] = json_of(geometry.pose);
  out["color"] = geometry.color == Geometry().color ? Json(nullptr) : Json(geometry.color);
  out["collides"] = geometry.collides;
  out["visible"] = geometry.visible;
  return out;
}

bool moves(const Model& model, const BodyInfo& body) {
  for (int link = body.link; link > 0; link = model.links[static_cast<size_t>(link)].parent) {
    if (model.links[static_cast<size_t>(link)].kind != LinkKind::kPrescribed) return true;
  }
  return false;
}

// Moved as the scene says and by nothing else.
bool is_driven(const Model& model, const BodyInfo& body) { return body.link > 0 && !moves(model, body); }

bool has_shape(const BodyInfo& body) {
  return std::any_of(body.geometry.begin(), body.geometry.end(),
                     [](const Geometry& g) { return g.visible && !std::holds_alternative<HalfSpace>(g.shape); });
}

// A box with the body's mass and inertia, for the eye.
Json box_of_inertia(const MassProperties& body) {
  const PrincipalInertia principal = principal_inertia(body.inertia);
  const Vector3d moments = principal.moments.cwiseMax(0);
  const Vector3d squares = 6 / body.mass * (Vector3d::Constant(moments.sum()) - 2 * moments).cwiseMax(0);
  const double longest = std::sqrt(squares.maxCoeff());
  const Vector3d size = squares.cwiseSqrt().cwiseMax(longest > 0 ? kThinnest * longest : kPointSize);
  Geometry box;
  box.name = "inertia";
  box.shape = Box{size};
  box.pose = {.rotation = principal.axes, .position = body.center};
  box.collides = false;
  std::vector<std::string> none;
  ShapeWriter shapes(none);
  return json_of(box, shapes);
}

Json bodies_of(const Model& model, ShapeWriter& shapes) {
  // Where nothing that moves has a shape there would be nothing to see.
  const bool shows_inertia = std::none_of(model.bodies.begin(), model.bodies.end(),
                                          [&](const BodyInfo& body) { return body.link > 0 && has_shape(body); });
  Json out = Json::array();
  for (const BodyInfo& body : model.bodies) {
    Json geometry = Json::array();
    for (const Geometry& g : body.geometry) geometry.push_back(json_of(g, shapes));
    if (shows_inertia && body.link > 0 && body.inertia.mass > 0) geometry.push_back(box_of_inertia(body.inertia));
    out.push_back({{"name", body.name},
                   {"parent", body.parent},
                   {"mass", body.inertia.mass},
                   {"center", json_of(body.inertia.center)},
                   {"moves", moves(model, body)},
                   {"driven", is_driven(model, body)},
                   {"geometry", std::move(geometry)}});
  }
  return out;
}

Json joints_of(const Model& model) {
  Json out = Json::array();
  for (const Joint& joint : model.scene->joints) {
    if (joint.type == JointType::kFixed || joint.type == JointType::kFree) continue;
    out.push_back({{"name", joint.name},
                   {"type", joint_type_name(joint.type)},
                   {"child", model.find_body(joint.child)},
                   {"pose", json_of(joint.child_pose)},
                   {"axis", json_of(joint.child_pose.rotation * joint.axis)}});
  }
  return out;
}

Json actuators_of(const Model& model) {
  Json out = Json::array();
  for (size_t i = 0; i < model.actuators.size(); ++i) {
    const ActuatorInfo& actuator = model.actuators[i];
    out.push_back({{"name", actuator.name},
                   {"type", actuator.type},
                   {"range", {limit(actuator.control_limits.lower), limit(actuator.control_limits.upper)}},
                   {"control", model.ctrl0[static_cast<Eigen::Index>(i)]}});
  }
  return out;
}

Json frames_of(const Model& model) {
  Json out = Json::array();
  for (const FrameInfo& frame : model.frames)
    out.push_back({{"name", frame.name}, {"body", frame.body}, {"pose", json_of(frame.X_BF)}});
  return out;
}

}  // namespace

std::vector<std::string> series_names(const Model& model) {
  std::vector<std::string> names = {"kinetic energy [J]",
                                    "gravity energy [J]",
                                    "elastic energy [J]",
                                    "total energy [J]",
                                    "step size [s]",
                                    "contact force [N]",
                                    "contacts"};
  for (const std::string& name : position_names(model)) names.push_back("q: " + name);
  for (const std::string& name : velocity_names(model)) names.push_back("v: " + name);
  return names;
}

PageScene page_scene(const Model& model, const PageSceneOptions& options) {
  PageScene out;
  ShapeWriter shapes(out.meshes);
  Json json = {{"format", 1},
               {"name", model.name},
               {"mode", options.mode},
               {"method", options.method},
               {"accuracy", options.accuracy ? Json(*options.accuracy) : Json(nullptr)},
               {"gravity", json_of(model.gravity)},
               {"samples", options.samples}};
  json["bodies"] = bodies_of(model, shapes);
  json["joints"] = joints_of(model);
  json["actuators"] = actuators_of(model);
  json["frames"] = frames_of(model);
  json["q_names"] = position_names(model);
  json["v_names"] = velocity_names(model);
  json["meshes"] = std::move(shapes.list);
  json["series"] = series_names(model);
  out.json = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return out;
}

}  // namespace stickslip
