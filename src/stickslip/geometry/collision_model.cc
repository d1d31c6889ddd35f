#include "stickslip/geometry/collision_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <unordered_map>

#include "stickslip/base/hash.h"
#include "stickslip/base/names.h"
#include "stickslip/geometry/free_robots.h"
#include "stickslip/geometry/inverse_mass.h"
#include "stickslip/geometry/mjcf_pair.h"
#include "stickslip/geometry/pair_material.h"
#include "stickslip/geometry/start_overlaps.h"

namespace stickslip {
namespace {

// What the stages of make_collision_model share.
struct Builder {
  const Model& model;
  CollisionModel& out;
  std::unordered_map<std::string, int> material_index;
  std::unordered_map<const Mesh*, Collider> hulls;
  std::vector<bool> is_mobile;  // of each link
  std::vector<int> piece;       // of each body
};

int find_material(const Builder& builder, const std::string& name, const Location& where) {
  if (name.empty()) return static_cast<int>(builder.out.materials.size()) - 1;
  const auto found = builder.material_index.find(name);
  if (found != builder.material_index.end()) return found->second;
  std::vector<std::string> names;
  for (const Material& material : builder.model.materials) names.push_back(material.name);
  throw ModelError("unknown-material", where, fmt::format("there is no material '{}'", name), name,
                   did_you_mean(name, names));
}

void collect_materials(Builder& builder) {
  for (const Material& material : builder.model.materials) {
    builder.material_index.emplace(material.name, static_cast<int>(builder.out.materials.size()));
    builder.out.materials.push_back(material);
  }
  builder.out.materials.push_back({});
}

void find_mobile_links(Builder& builder) {
  for (const Link& link : builder.model.links) {
    const bool first = builder.is_mobile.empty();  // the world
    builder.is_mobile.push_back(!first && (velocity_count(link.kind) > 0 || builder.is_mobile[link.parent]));
  }
}

// Parents of bodies may come later in the file, but those of static bodies are static, so each climb ends at the world.
void find_pieces(Builder& builder) {
  const Model& model = builder.model;
  const int links = static_cast<int>(model.links.size());
  for (int body = 0; body < static_cast<int>(model.bodies.size()); ++body) {
    int top = body;
    while (model.bodies[top].link == 0 && model.bodies[top].parent != 0) top = model.bodies[top].parent;
    builder.piece.push_back(model.bodies[body].link != 0 ? model.bodies[body].link : links + top);
  }
}

const Mesh* mesh_of(const Shape& shape) {
  if (const auto* mesh = std::get_if<ConvexMesh>(&shape)) return mesh->mesh.get();
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) return mesh->mesh.get();
  return nullptr;
}

Collider shared_collider(Builder& builder, const Shape& shape, bool as_hull) {
  const Mesh* mesh = mesh_of(shape);
  if (mesh == nullptr || (std::holds_alternative<TriangleMesh>(shape) && !as_hull)) return make_collider(shape);
  auto [found, is_new] = builder.hulls.try_emplace(mesh);
  if (is_new) found->second = make_hull_collider(*mesh);
  return found->second;
}

CollisionGeometry make_geometry(Builder& builder, int body_index, int index_in_body) {
  const BodyInfo& body = builder.model.bodies[body_index];
  const Geometry& geometry = body.geometry[index_in_body];
  CollisionGeometry out{.link = body.link, .body = body_index, .piece = builder.piece[body_index]};
  out.contype = geometry.collides ? geometry.contype : 0;
  out.conaffinity = geometry.collides ? geometry.conaffinity : 0;
  out.family = body.family;
  out.is_static = body.link == 0;
  out.is_mobile = builder.is_mobile[body.link];
  out.is_hull_of_mesh = out.is_mobile && std::holds_alternative<TriangleMesh>(geometry.shape);
  out.material = find_material(builder, geometry.material, geometry.where);
  out.X_LG = body.X_LB * geometry.pose;
  out.collider = shared_collider(builder, geometry.shape, out.is_hull_of_mesh);
  out.is_convex = out.collider.is_convex();
  const bool unbounded = out.collider.kind == ColliderKind::kHalfSpace;
  out.center = unbounded ? out.X_LG.position : out.X_LG * out.collider.box.center();
  out.radius = out.collider.bounding_radius();
  out.surface_velocity = body.X_LB.rotation * geometry.surface_velocity;
  out.index_in_body = index_in_body;
  out.name = geometry.name;
  return out;
}

// Geometries for the eye are left out, unless a pair names them.
void collect_geometries(Builder& builder) {
  std::unordered_map<std::string, bool> listed;
  for (const ContactPair& pair : builder.model.contact_pairs) listed[pair.geometry_a] = listed[pair.geometry_b] = true;
  for (int body = 0; body < static_cast<int>(builder.model.bodies.size()); ++body) {
    const std::vector<Geometry>& geometry = builder.model.bodies[body].geometry;
    for (int i = 0; i < static_cast<int>(geometry.size()); ++i) {
      if (!geometry[i].collides && !listed.contains(geometry[i].name)) continue;
      builder.out.geometries.push_back(make_geometry(builder, body, i));
    }
  }
}

int find_geometry(const CollisionModel& out, const std::string& name, const Location& where) {
  const auto has_name = [&](const CollisionGeometry& g) { return !name.empty() && g.name == name; };
  const auto found = std::find_if(out.geometries.begin(), out.geometries.end(), has_name);
  if (found == out.geometries.end()) {
    std::vector<std::string> names;
    for (const CollisionGeometry& geometry : out.geometries) {
      if (!geometry.name.empty()) names.push_back(geometry.name);
    }
    throw ModelError("unknown-geometry", where, fmt::format("there is no geometry named '{}'", name), name,
                     did_you_mean(name, names));
  }
  if (std::find_if(found + 1, out.geometries.end(), has_name) != out.geometries.end()) {
    throw ModelError("duplicate-name", where, fmt::format("two geometries are named '{}'", name), name,
                     "rename one of the two, so that the pair says which it means");
  }
  return static_cast<int>(found - out.geometries.begin());
}

// Listing a pair does not make the immovable move.
void warn_of_idle_pair(Builder& builder, const ContactPair& pair, const CollisionGeometry& a,
                       const CollisionGeometry& b) {
  if (a.link != b.link && (a.is_mobile || b.is_mobile)) return;
  builder.out.warnings.push_back({"idle-pair", pair.where,
                                  fmt::format("'{}' and '{}' cannot push each other: they are fixed to each other, or "
                                              "neither can be moved by a force",
                                              pair.geometry_a, pair.geometry_b)});
}

void list_pairs(Builder& builder) {
  CollisionModel& out = builder.out;
  for (const ContactPair& pair : builder.model.contact_pairs) {
    const int a = find_geometry(out, pair.geometry_a, pair.where);
    const int b = find_geometry(out, pair.geometry_b, pair.where);
    const int material = pair.material.empty() ? -1 : find_material(builder, pair.material, pair.where);
    out.geometries[a].in_pair = out.geometries[b].in_pair = true;
    out.listed_pairs.push_back({pair_key(a, b), material});
    warn_of_idle_pair(builder, pair, out.geometries[a], out.geometries[b]);
  }
  // Of a pair listed twice the first counts.
  const auto by_key = [](const auto& x, const auto& y) { return x.key < y.key; };
  const auto same_key = [](const auto& x, const auto& y) { return x.key == y.key; };
  std::stable_sort(out.listed_pairs.begin(), out.listed_pairs.end(), by_key);
  out.listed_pairs.erase(std::unique(out.listed_pairs.begin(), out.listed_pairs.end(), same_key),
                         out.listed_pairs.end());
}

bool is_from_mjcf(const Builder& builder, int body) {
  const std::vector<Geometry>& geometry = builder.model.bodies[body].geometry;
  return std::any_of(geometry.begin(), geometry.end(), [&](const Geometry& g) {
    return builder.out.materials[find_material(builder, g.material, g.where)].mjcf.has_value();
  });
}

void exclude_joined(Builder& builder) {
  if (!builder.model.filter_parent_child) return;
  for (const JointInfo& joint : builder.model.joints) {
    if (joint.type == JointType::kFree || joint.parent == 0) continue;
    const bool static_parent = builder.model.bodies[joint.parent].link == 0;
    if (static_parent && is_from_mjcf(builder, joint.parent)) continue;
    builder.out.adjacent_pieces.add(builder.piece[joint.parent], builder.piece[joint.child]);
  }
  builder.out.adjacent_pieces.finish();
}

void exclude_bodies(Builder& builder) {
  for (const auto& [a, b] : builder.model.contact_exclusions) builder.out.excluded_bodies.add(a, b);
  builder.out.excluded_bodies.finish();
}

// A wheel on its axle yields to no force at its centre of mass, but to one at its rim: the mean over a sphere of radius
// r is 2/3 r^2 times its inverse inertia.
double inverse_mass_at_surface(const InverseMass& body, double r) {
  constexpr double kNegligible = 1e-6;
  const double by_turning = 2.0 / 3 * r * r * body.rotation;
  return body.translation > kNegligible * by_turning ? body.translation : by_turning;
}

bool any_from_mjcf(const CollisionModel& out) {
  const auto is_mjcf = [](const Material& material) { return material.mjcf.has_value(); };
  return std::any_of(out.materials.begin(), out.materials.end(), is_mjcf);
}

const Location& place_of(const Builder& builder, const CollisionGeometry& geometry) {
  return builder.model.bodies[geometry.body].geometry[geometry.index_in_body].where;
}

// Of surfaces that are curved alike wherever they are touched; all others count as flat.
double curvature_radius(const Collider& collider) {
  const bool is_round = collider.kind == ColliderKind::kSphere || collider.kind == ColliderKind::kCapsule;
  return is_round ? collider.radius() : kInfinity;
}

// Hertz's law needs a curvature: where nothing has one, a modulus does nothing.
void warn_of_idle_moduli(Builder& builder) {
  for (const CollisionGeometry& geometry : builder.out.geometries)
    if (curvature_radius(geometry.collider) < kInfinity) return;
  for (const Material& material : builder.model.materials) {
    if (!material.youngs_modulus) continue;
    builder.out.warnings.push_back(
        {"idle-modulus", material.where,
         fmt::format(
             "youngs_modulus of material '{}' has no effect: nothing that collides is a sphere or a capsule, and "
             "flat surfaces have the stiffness",
             material.name)});
  }
}

void warn_of_moving_meshes(Builder& builder) {
  for (const CollisionGeometry& geometry : builder.out.geometries) {
    if (!geometry.is_hull_of_mesh) continue;
    builder.out.warnings.push_back(
        {"moving-mesh", place_of(builder, geometry),
         fmt::format(
             "a mesh of body '{}' moves: its convex hull collides instead; say so with 'convex: true', or split "
             "it into convex parts with 'decompose: true' in place of 'convex'",
             builder.model.bodies[geometry.body].name)});
  }
}

// Half-spaces, meshes and height fields are few and mostly static: only one that is mobile can meet another.
void warn_of_kinds_without_query(Builder& builder) {
  CollisionModel& out = builder.out;
  const int count = static_cast<int>(out.geometries.size());
  for (int a = 0; a < count; ++a) {
    if (out.geometries[a].is_convex || !out.geometries[a].is_mobile) continue;
    for (int b = 0; b < count; ++b) {
      if (out.geometries[b].is_convex || (out.geometries[b].is_mobile && b < a) || !out.is_wanted(a, b)) continue;
      out.warnings.push_back(
          {"unsupported-pair", place_of(builder, out.geometries[a]),
           fmt::format("{} of body '{}' and {} of body '{}' do not collide: there is no query for them",
                       collider_kind_name(out.geometries[a].collider.kind),
                       builder.model.bodies[out.geometries[a].body].name,
                       collider_kind_name(out.geometries[b].collider.kind),
                       builder.model.bodies[out.geometries[b].body].name)});
      break;
    }
  }
}

std::uint64_t hash_filters(const CollisionModel& out) {
  Hash hash;
  for (const CollisionGeometry& g : out.geometries) {
    hash.add(pair_key(g.link, g.body));
    hash.add(static_cast<std::uint64_t>(g.family));
    hash.add(static_cast<std::uint64_t>(g.contype) << 32 | g.conaffinity);
    hash.add(static_cast<std::uint64_t>(g.piece) << 3 | static_cast<std::uint64_t>(g.is_mobile) << 2 |
             static_cast<std::uint64_t>(g.is_convex) << 1 | static_cast<std::uint64_t>(g.in_pair));
  }
  for (const CollisionModel::ListedPair& pair : out.listed_pairs) hash.add(pair.key);
  for (const PairSet* set : {&out.adjacent_pieces, &out.excluded_bodies}) {
    hash.add(static_cast<std::uint64_t>(set->keys().size()));
    for (std::uint64_t key : set->keys()) hash.add(key);
  }
  return hash.value();
}

// The last of the filters: what the others let collide is looked at where the model starts.
void exclude_overlapping(Builder& builder) {
  CollisionModel& out = builder.out;
  out.start_overlaps = find_start_overlaps(builder.model, out);
  for (const StartOverlap& overlap : out.start_overlaps) out.excluded_bodies.add(overlap.body_a, overlap.body_b);
  out.excluded_bodies.finish();
  out.filter_hash = hash_filters(out);
}

double reduced_mass(const CollisionGeometry& a, const CollisionGeometry& b) {
  return 1 / (a.inverse_mass + b.inverse_mass);
}

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

const CollisionModel::ListedPair* CollisionModel::find_listed(int a, int b) const {
  const std::uint64_t key = pair_key(a, b);
  const auto found = std::lower_bound(listed_pairs.begin(), listed_pairs.end(), key,
                                      [](const ListedPair& pair, std::uint64_t k) { return pair.key < k; });
  return found != listed_pairs.end() && found->key == key ? &*found : nullptr;
}

bool CollisionModel::is_listed(int a, int b) const {
  return geometries[a].in_pair && geometries[b].in_pair && find_listed(a, b) != nullptr;
}

bool CollisionModel::is_wanted(int a, int b) const {
  const CollisionGeometry& first = geometries[a];
  const CollisionGeometry& second = geometries[b];
  if (first.link == second.link || !(first.is_mobile || second.is_mobile)) return false;
  if (is_listed(a, b)) return true;
  if (!(first.contype & second.conaffinity) && !(second.contype & first.conaffinity)) return false;
  if (first.family != 0 && first.family == second.family) return false;
  return !adjacent_pieces.contains(first.piece, second.piece) && !excluded_bodies.contains(first.body, second.body);
}

bool CollisionModel::may_collide(int a, int b) const {
  return (geometries[a].is_convex || geometries[b].is_convex) && is_wanted(a, b);
}

PairMaterial CollisionModel::pair_material(int a, int b) const {
  const CollisionGeometry& first = geometries[a];
  const CollisionGeometry& second = geometries[b];
  const double radius = 1 / (1 / curvature_radius(first.collider) + 1 / curvature_radius(second.collider));
  if (const Material* own = own_material(a, b))
    return whole_pair(in_physical_units(*own, reduced_mass(first, second)), radius);
  return stickslip::pair_material(materials[first.material], materials[second.material], reduced_mass(first, second),
                                  radius);
}

const Material* CollisionModel::own_material(int a, int b) const {
  if (!geometries[a].in_pair || !geometries[b].in_pair) return nullptr;
  const ListedPair* listed = find_listed(a, b);
  return listed != nullptr && listed->material >= 0 ? &materials[listed->material] : nullptr;
}

void weigh_geometries(const Model& model, CollisionModel& out) {
  const std::vector<InverseMass> bodies = inverse_masses(model);
  for (CollisionGeometry& geometry : out.geometries) {
    const BodyInfo& body = model.bodies[geometry.body];
    const double offset = (geometry.center - body.X_LB * body.inertia.center).norm();
    const double r = std::hypot(offset, geometry.collider.scale());
    geometry.inverse_mass = inverse_mass_at_surface(bodies[geometry.body], r);
  }
  out.serial = next_serial();
}

CollisionModel make_collision_model(const Model& model) {
  CollisionModel out;
  Builder builder{.model = model, .out = out};
  collect_materials(builder);
  find_mobile_links(builder);
  find_pieces(builder);
  collect_geometries(builder);
  list_pairs(builder);
  exclude_joined(builder);
  exclude_bodies(builder);
  find_free_robots(model, out);
  out.serial = next_serial();
  if (any_from_mjcf(out)) weigh_geometries(model, out);
  out.filter_hash = hash_filters(out);
  exclude_overlapping(builder);
  warn_of_idle_moduli(builder);
  warn_of_moving_meshes(builder);
  warn_of_kinds_without_query(builder);
  const std::vector<Warning> overlaps = warnings_of(out.start_overlaps, model);
  out.warnings.insert(out.warnings.end(), overlaps.begin(), overlaps.end());
  return out;
}

}  // namespace stickslip
