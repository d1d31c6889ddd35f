#include "stickslip/convert/contact_units.h"

#include <algorithm>
#include <cmath>

#include "stickslip/base/error.h"
#include "stickslip/geometry/mjcf_pair.h"

namespace stickslip::convert {
namespace {

constexpr double kLeastImpedance = 0.9;       // dmin of MuJoCo's default solimp
constexpr double kLargestImpedance = 0.9999;  // mjMAXIMP
constexpr double kFastest = 0.5;              // sqrt(d K) times the time step: twelve steps a period
constexpr double kLeastTimeConstant = 2;      // in time steps; MuJoCo enlarges shorter ones

// The mass of what moves but has none, in robots that are not yet finished.
constexpr double kUnknownMass = 1;  // [kg]

}  // namespace

ContactMasses::ContactMasses(const Model& model) : collision_(make_collision_model(model)) {
  weigh_geometries(model, collision_);
  for (const CollisionGeometry& g : collision_.geometries) {
    const double mobile = g.inverse_mass > 0 ? 1 / g.inverse_mass : kUnknownMass;
    masses_[{g.body, g.index_in_body}] = g.is_mobile ? mobile : kInfinity;
  }
}

double ContactMasses::mass(int body, int geometry) const {
  const auto found = masses_.find({body, geometry});
  return found == masses_.end() ? 0 : found->second;
}

int ContactMasses::find(const std::string& geometry) const {
  const auto named = [&](const CollisionGeometry& g) { return g.name == geometry; };
  const auto& all = collision_.geometries;
  return static_cast<int>(std::find_if(all.begin(), all.end(), named) - all.begin());
}

double ContactMasses::reduced_mass(const std::string& geometry_a, const std::string& geometry_b) const {
  const auto& all = collision_.geometries;
  const double inverse = all[find(geometry_a)].inverse_mass + all[find(geometry_b)].inverse_mass;
  return inverse > 0 ? 1 / inverse : kUnknownMass;
}

PairMaterial ContactMasses::pair_material(const std::string& geometry_a, const std::string& geometry_b) const {
  return collision_.pair_material(find(geometry_a), find(geometry_b));
}

MjcfUnits in_mjcf_units(const Material& material, double mass, double time_step) {
  const double depth = mass * kGravity / material.stiffness;  // x_s, 0 for a rigid material
  const double fastest = kFastest / time_step;
  MjcfUnits out;
  // d K = (1 - d) g / (d x_s), solved for d.
  const double slowest_d = 1 / (1 + fastest * fastest * depth / kGravity);
  const double d = std::clamp(slowest_d, kLeastImpedance, kLargestImpedance);
  out.too_stiff = slowest_d > kLargestImpedance;
  const double K = out.too_stiff ? fastest * fastest / d : (1 - d) * kGravity / (d * d * depth);
  const double dissipation = material.relaxation_time
                                 ? *material.relaxation_time * material.stiffness / (mass * kGravity)
                                 : material.dissipation;
  const double B = std::min(dissipation * kGravity / d, 2 / (d * kLeastTimeConstant * time_step));
  MjcfContact& contact = out.contact;
  contact.solimp = {d, d, contact.solimp[2], contact.solimp[3], contact.solimp[4]};
  if (B > 0) {
    const double time_constant = 2 / (d * B);
    contact.solref = {time_constant, 1 / (d * time_constant * std::sqrt(K))};
  } else {
    contact.solref = {-K * d * d, 0};  // without damping there is no time constant
  }
  contact.condim = material.dynamic_friction > 0 ? 3 : 1;
  contact.friction[0] = material.dynamic_friction;
  return out;
}

}  // namespace stickslip::convert
