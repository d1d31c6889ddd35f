#include "stickslip/scene/sdf_surface.h"

#include <fmt/format.h>

#include <algorithm>

namespace stickslip::sdf {
namespace {

constexpr double kDefaultFriction = 1;     // the format's
constexpr double kRigid = 1e10;            // [N/m]; Gazebo writes 1e12 and 1e13 for what it takes as rigid
constexpr std::uint32_t kAllBits = 65535;  // the format's default of both masks

double friction_of(const XmlElement& collision, SdfContext& context) {
  const XmlElement* friction = find_path(collision, "surface/friction");
  if (!friction) return kDefaultFriction;
  context.ignore_all_but(*friction, {"ode", "bullet"});
  if (const XmlElement* ode = friction->child("ode")) {
    const double mu = number_in(*ode, "mu", kDefaultFriction);
    const double mu2 = number_in(*ode, "mu2", mu);
    if (mu2 != mu) {
      context.warn("anisotropic-friction", ode->where(),
                   fmt::format("mu {} and mu2 {} differ; friction is the same in all directions here, mu", mu, mu2));
    }
    for (const char* term : {"slip1", "slip2"}) {
      if (number_in(*ode, term, 0) != 0) context.ignore(*ode, *ode->child(term), {});
    }
    context.ignore_all_but(*ode, {"mu", "mu2", "slip1", "slip2"});
    return mu;
  }
  if (const XmlElement* bullet = friction->child("bullet")) return number_in(*bullet, "friction", kDefaultFriction);
  return kDefaultFriction;
}

// kp in N/m is our stiffness; kd in N s/m acts against motion as k tau v does, tau = kd / kp.
void read_ode_contact(const XmlElement& ode, SdfContext& context, Material& material) {
  const double kp = number_in(ode, "kp", kRigid);
  if (kp > 0 && kp < kRigid) {
    material.stiffness = kp;
    if (const double kd = number_in(ode, "kd", 0); kd > 0) {
      material.relaxation_time = kd / kp;
      material.dissipation = 0;
    }
  }
  context.ignore_all_but(ode, {"kp", "kd"});
}

// Drake's own words for the same things.
void read_drake_contact(const XmlElement& collision, Material& material) {
  const XmlElement* properties = collision.child("drake:proximity_properties");
  if (!properties) return;
  material.static_friction = number_in(*properties, "drake:mu_static", material.static_friction);
  material.dynamic_friction =
      number_in(*properties, "drake:mu_dynamic", std::min(material.static_friction, material.dynamic_friction));
  material.stiffness = number_in(*properties, "drake:point_contact_stiffness", material.stiffness);
  if (const auto d = number_in(*properties, "drake:hunt_crossley_dissipation")) material.dissipation = *d;
}

bool same(const Material& a, const Material& b) {
  return a.stiffness == b.stiffness && a.dissipation == b.dissipation && a.relaxation_time == b.relaxation_time &&
         a.static_friction == b.static_friction && a.dynamic_friction == b.dynamic_friction;
}

void check(const Material& material, const XmlElement& collision) {
  if (material.static_friction >= 0 && material.dynamic_friction >= 0 && material.stiffness > 0 &&
      material.dissipation >= 0) {
    return;
  }
  throw ModelError("bad-surface", collision.where(),
                   "friction or dissipation of a <collision> is negative, or its stiffness not positive",
                   collision.text("name", ""), "write numbers that are zero or more");
}

std::string use(Material material, Scene& scene) {
  const auto known = std::find_if(scene.materials.begin(), scene.materials.end(),
                                  [&](const Material& other) { return same(material, other); });
  if (known != scene.materials.end()) return known->name;
  material.name = fmt::format("surface_{}", scene.materials.size() + 1);
  scene.materials.push_back(material);
  return material.name;
}

std::uint32_t mask_in(const XmlElement& contact, const std::string& name, std::uint32_t fallback) {
  const double value = number_in(contact, name, fallback);
  if (value >= 0 && value <= kAllBits && value == static_cast<std::uint32_t>(value)) {
    return static_cast<std::uint32_t>(value);
  }
  throw ModelError("bad-number", contact.child(name)->content_where(), fmt::format("<{}> is not a 16-bit mask", name),
                   contact.child(name)->content.value, "write a whole number from 0 to 65535");
}

}  // namespace

void read_surface(const XmlElement& collision, SdfContext& context, Geometry& geometry, Scene& scene) {
  Material material;
  material.where = collision.where();
  material.static_friction = material.dynamic_friction = friction_of(collision, context);
  geometry.contype = geometry.conaffinity = kAllBits;
  if (const XmlElement* contact = find_path(collision, "surface/contact")) {
    if (const XmlElement* ode = contact->child("ode")) read_ode_contact(*ode, context, material);
    geometry.conaffinity = mask_in(*contact, "collide_bitmask", kAllBits);
    geometry.contype = mask_in(*contact, "category_bitmask", geometry.conaffinity);
    if (flag_in(*contact, "collide_without_contact", false)) geometry.collides = false;
    context.ignore_all_but(*contact, {"ode", "collide_bitmask", "category_bitmask", "collide_without_contact"});
  }
  if (const XmlElement* bounce = find_path(collision, "surface/bounce")) {
    if (number_in(*bounce, "restitution_coefficient", 0) != 0) context.ignore(*collision.child("surface"), *bounce, {});
  }
  if (const XmlElement* surface = collision.child("surface")) {
    context.ignore_all_but(*surface, {"friction", "contact", "bounce"});
  }
  read_drake_contact(collision, material);
  check(material, collision);
  geometry.material = use(material, scene);
}

}  // namespace stickslip::sdf
