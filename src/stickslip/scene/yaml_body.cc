#include "stickslip/scene/yaml_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "stickslip/scene/robot_inertia.h"
#include "stickslip/scene/yaml_geometry.h"
#include "stickslip/scene/yaml_motion.h"
#include "stickslip/shapes/mass.h"

namespace stickslip {
namespace {

// Where the warnings of a body go, and whether its inertia may be repaired.
struct BodyNotes {
  bool repair = false;
  std::vector<Warning>& warnings;
};

Matrix3d read_inertia(const YamlValue& value, const std::string& what, const BodyNotes& notes) {
  YamlMap map(value, what);
  const double xx = map.required_number("ixx", Bound::kNonNegative);
  const double yy = map.required_number("iyy", Bound::kNonNegative);
  const double zz = map.required_number("izz", Bound::kNonNegative);
  const double xy = map.number("ixy", 0), xz = map.number("ixz", 0), yz = map.number("iyz", 0);
  map.done();
  Matrix3d inertia;
  inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  if (is_physical(inertia)) return inertia;
  const PrincipalInertia principal = principal_inertia(inertia);
  if (!notes.repair) {
    const Vector3d nearest = nearest_physical_moments(principal.moments);
    map.fail(
        "unphysical-inertia", what + " belongs to no real matter",
        fmt::format("each principal moment is at most the sum of the other two, the nearest such are {:.4g}, {:.4g}, "
                    "{:.4g}; ixy, ixz, iyz are the matrix elements",
                    nearest[0], nearest[1], nearest[2]));
  }
  notes.warnings.push_back({"repaired-inertia", map.where(), describe_repair(what, principal.moments)});
  return nearest_inertia(principal);
}

// Matter spread evenly over the volume of what collides; geometry for the eye counts only where nothing collides.
MassProperties uniform_matter(const Body& body, double density) {
  const bool any_collides =
      std::any_of(body.geometry.begin(), body.geometry.end(), [](const Geometry& g) { return g.collides; });
  MassProperties sum;
  for (const Geometry& geometry : body.geometry) {
    if (any_collides && !geometry.collides) continue;
    sum = sum + expressed_in(geometry.pose, mass_properties(geometry.shape, density));
  }
  return sum;
}

void check_no_mass(YamlMap& map, const Body& body, bool jointed) {
  for (const char* key : {"inertia", "center"}) {
    if (map.has(key))
      map.fail("missing-mass", fmt::format("{} has {} but no mass", map.what(), key), "add 'mass: ...'");
  }
  if (body.fixed || body.mocap || body.motion) return;
  map.fail("missing-mass", map.what() + " has no mass",
           jointed ? "give a mass or a density; 'mass: 0' for a massless link between joints"
                   : "give a mass or a density, or 'fixed: true'");
}

// mass | density; with mass, inertia and center default to those of the geometry at uniform density.
void read_matter(YamlMap& map, Body& body, const BodyJoints& joints, const BodyNotes& notes) {
  const std::optional<double> density = map.maybe_number("density", Bound::kPositive);
  const std::optional<double> mass = map.maybe_number("mass", Bound::kNonNegative);
  const YamlValue* inertia = map.find("inertia");
  if (density) {
    for (const char* key : {"mass", "inertia", "center"}) {
      if (map.has(key)) map.fail("two-masses", fmt::format("{} has both density and {}", map.what(), key), "keep one");
    }
    body.inertia = uniform_matter(body, *density);
    if (body.inertia.mass > 0) return;
    map.fail("no-volume", map.what() + " has no geometry with a volume to take its mass from",
             "add a geometry with a volume, or give mass and inertia");
  }
  if (!mass) return check_no_mass(map, body, joints.on_joint);
  const bool moves_freely = !joints.on_joint && !body.fixed && !body.mocap && !body.motion;
  const bool needs_matter = moves_freely && !joints.carries;  // what it carries may have enough
  if (*mass == 0 && needs_matter) {
    map.fail("zero-mass", fmt::format("mass of {} is 0", map.what()), "give a density or a mass");
  }
  if (!inertia) {
    const MassProperties uniform = uniform_matter(body, 1);
    if (uniform.mass > 0) body.inertia = with_mass(uniform, *mass);
  }
  body.inertia.mass = *mass;
  if (inertia) body.inertia.inertia = read_inertia(*inertia, map.of("inertia"), notes);
  body.inertia.center = map.vector("center", body.inertia.center);
  if (needs_matter && body.inertia.inertia.isZero(0)) {
    map.fail("point-mass", map.what() + " is a free point mass: its rotation has no inertia",
             "give an inertia, or a geometry to take it from");
  }
}

// How a body moves is said once: by a joint, or by one of fixed, motion and mocap, or by nothing (free).
void check_one_motion(YamlMap& map, const Body& body, bool jointed) {
  if (int{body.fixed} + int{body.mocap} + int{body.motion.has_value()} > 1) {
    map.fail("two-motions", map.what() + " has more than one of fixed, motion and mocap", "keep one of them");
  }
  if (jointed) {
    for (const char* key : {"fixed", "motion", "mocap", "pose", "velocity"}) {
      if (!map.has(key)) continue;
      map.fail("two-motions", fmt::format("{} hangs on a joint, so its {} has no meaning", map.what(), key),
               "say it at the joint: pose, position, velocity, motion");
    }
  }
  if (map.has("velocity") && (body.fixed || body.mocap || body.motion)) {
    map.fail("two-motions", map.what() + " is not free, so it has no velocity of its own",
             "use motion for a prescribed velocity, or surface_velocity of a geometry for a belt");
  }
}

}  // namespace

namespace {

// Geometries as written. One that is only seen may be missing, unless the body's mass is to be taken from it.
std::vector<YamlGeometry> read_geometries(YamlMap& map, const YamlContext& context, std::vector<Warning>& warnings) {
  std::vector<YamlGeometry> out;
  const YamlValue* list = map.find("geometry");
  if (!list) return out;
  std::optional<ModelError> missing;
  for (const YamlEntry& entry : to_list(*list, map.of("geometry"))) {
    try {
      out.push_back(read_geometry(*entry.value, map.what(), context));
    } catch (const ModelError& error) {
      const bool collides = YamlMap(*entry.value, map.what()).flag("collides", true);
      if (error.code() != "no-such-file" || collides) throw;
      missing = error;
      warnings.push_back(
          {"missing-visual", error.where(),
           fmt::format("a geometry of {} that does not collide is left out: {}", map.what(), error.message())});
    }
  }
  const bool any_collides = std::any_of(out.begin(), out.end(), [](const YamlGeometry& g) { return g.whole.collides; });
  const bool has_own_mass = map.has("inertia") || (!map.has("density") && !map.has("mass"));
  if (missing && !any_collides && !has_own_mass) throw ModelError(*missing);
  return out;
}

}  // namespace

Body read_body(const YamlValue& value, const YamlContext& context, const BodyJoints& joints,
               std::vector<Warning>& warnings) {
  YamlMap map(value, "a body");
  Body body;
  body.where = map.where();
  body.name = map.required_text("name");
  map.set_what(fmt::format("body '{}'", body.name));
  body.pose = map.pose();
  body.fixed = map.flag("fixed", false);
  body.mocap = map.flag("mocap", false);
  body.gravity_scale = map.number("gravity_scale", 1);
  if (const YamlValue* motion = map.find("motion"))
    body.motion = read_motion(*motion, map.of("motion"), context, false);
  if (const YamlValue* velocity = map.find("velocity")) {
    YamlMap v(*velocity, map.of("velocity"));
    body.linear_velocity = v.vector("linear", Vector3d::Zero());
    body.angular_velocity = v.vector("angular", Vector3d::Zero());
    v.done();
  }
  const std::vector<YamlGeometry> read = read_geometries(map, context, warnings);
  for (const YamlGeometry& geometry : read) body.geometry.push_back(geometry.whole);
  map.find("density"), map.find("inertia"), map.find("center"), map.find("mass");  // known whatever path is taken
  check_one_motion(map, body, joints.on_joint);
  map.done();
  read_matter(map, body, joints,
              {context.options.repair_all, warnings});  // of the whole meshes: their parts overlap and stick out
  body.geometry.clear();
  for (const YamlGeometry& geometry : read) {
    for (Geometry& part : split(geometry)) body.geometry.push_back(std::move(part));
  }
  return body;
}

}  // namespace stickslip
