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

[[noreturn]] void refuse_number(const XmlElement& parent, const char* name, const char* what, const char* fix) {
  const XmlElement& element = *parent.child(name);
  throw ModelError("bad-surface", element.content_where(), fmt::format("<{}> is {}", name, what), element.content.value,
                   fix);
}

// kp in N/m is our stiffness; kd in N s/m acts against motion as k tau v does, tau = kd / kp.
void read_ode_contact(const XmlElement& ode, SdfContext& context, Material& material) {
  const double kp = number_in(ode, "kp", kRigid), kd = number_in(ode, "kd", 0);
  if (kp < 0) refuse_number(ode, "kp", "a negative stiffness", "write a positive number of N/m");
  if (kd < 0) refuse_number(ode, "kd", "a negative damping", "write a number of N s/m that is zero or more");
  if (kp == 0) {
    context.warn(
        "zero-stiffness", ode.child("kp")->content_where(),
        fmt::format("a surface with <kp> 0 would not push; its stiffness is the default, {} N/m", material.stiffness));
  } else if (kp < kRigid) {
    material.stiffness = kp;
    if (kd > 0) {
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

void check(const Material& material, const XmlElement& collision) {
  if (material.static_friction >= 0 && material.dynamic_friction >= 0 && material.stiffness > 0 &&
      material.dissipation >= 0) {
    return;
  }
  throw ModelError("bad-surface", collision.where(),
                   "friction or dissipation of a <collision> is negative, or its stiffness not positive",
                   collision.text("name", ""), "write numbers that are zero or more");
}

// The name of the scene's material like this one; made if it is the first.
std::string use(Material material, SdfContext& context, Scene& scene) {
  const auto [known, is_new] =
      context.surfaces.try_emplace({material.stiffness, material.dissipation, material.relaxation_time.value_or(-1),
                                    material.static_friction, material.dynamic_friction},
                                   fmt::format("surface_{}", scene.materials.size() + 1));
  if (!is_new) return known->second;
  material.name = known->second;
  scene.materials.push_back(std::move(material));
  return known->second;
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
  geometry.material = use(std::move(material), context, scene);
}

}  // namespace stickslip::sdf
