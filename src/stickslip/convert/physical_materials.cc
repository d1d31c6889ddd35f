#include "stickslip/convert/physical_materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "stickslip/geometry/mjcf_pair.h"

namespace stickslip::convert {
namespace {

class Translator {
 public:
  Translator(const Scene& scene, const Model& model, Notes& notes) : scene_(scene), notes_(notes) {
    for (const Material& material : scene.materials) {
      names_.insert(material.name);
      if (!material.mjcf) out_.materials.push_back(material);
      if (material.mjcf && !masses_) masses_.emplace(model);
    }
  }

  PhysicalMaterials translate() {
    add_body(0, kWorld, scene_.world_geometry);
    for (size_t i = 0; i < scene_.bodies.size(); ++i) {
      add_body(static_cast<int>(i) + 1, scene_.bodies[i].name, scene_.bodies[i].geometry);
    }
    for (const ContactPair& pair : scene_.contact_pairs) out_.of_pair.push_back(of_pair(pair));
    note_mixing();
    return std::move(out_);
  }

 private:
  const Material* find_mjcf(const std::string& name) const {
    const auto named = [&](const Material& m) { return m.name == name && m.mjcf; };
    const auto found = std::find_if(scene_.materials.begin(), scene_.materials.end(), named);
    return found == scene_.materials.end() ? nullptr : &*found;
  }

  void add_body(int body, const std::string& name, const std::vector<Geometry>& geometry) {
    std::vector<std::string>& out = out_.of_geometry.emplace_back();
    for (size_t i = 0; i < geometry.size(); ++i) {
      const Material* mjcf = find_mjcf(geometry[i].material);
      if (!mjcf) {
        out.push_back(geometry[i].material);
        continue;
      }
      const double mass = masses_->mass(body, static_cast<int>(i));
      out.push_back(mass > 0 ? of_body(*mjcf, mass, name) : "");  // without contact: the default
    }
  }

  std::string of_body(const Material& mjcf, double mass, const std::string& body) {
    mixed_.insert(mjcf.name);
    auto [known, is_new] = known_.try_emplace({mjcf.name, mass});
    if (is_new) known->second = add(mjcf, mass, mjcf.name + "_" + (mass < kInfinity ? body : "rigid"));
    return known->second;
  }

  std::string of_pair(const ContactPair& pair) {
    const Material* mjcf = find_mjcf(pair.material);
    if (!mjcf) return pair.material;
    return add(*mjcf, masses_->reduced_mass(pair.geometry_a, pair.geometry_b), mjcf->name + "_pair");
  }

  std::string add(const Material& mjcf, double mass, const std::string& wanted) {
    notes_.add("contact-units", mjcf.where, "",
               "MuJoCo's contact parameters become stiffness and dissipation, by the bodies' masses at the start; what "
               "cannot move becomes rigid, and the relaxation time that 'sap' takes is lost");
    Material material = in_physical_units(mjcf, mass < kInfinity ? mass : 1);
    if (mass == kInfinity) material.stiffness = kInfinity;
    material.relaxation_time.reset();
    material.mjcf.reset();
    material.name = wanted;
    for (int i = 2; !names_.insert(material.name).second; ++i) material.name = fmt::format("{}_{}", wanted, i);
    out_.materials.push_back(material);
    return material.name;
  }

  void note_mixing() {
    if (mixed_.size() < 2) return;
    notes_.add("contact-mixing", find_mjcf(*mixed_.begin())->where, "",
               "geoms with unequal contact parameters meet by our rules, springs in series and the harmonic mean of "
               "friction, not by MuJoCo's means and larger friction; list such pairs to say otherwise");
  }

  const Scene& scene_;
  Notes& notes_;
  std::optional<ContactMasses> masses_;  // hulls of meshes take time: only where masses are needed
  PhysicalMaterials out_;
  std::set<std::string> names_, mixed_;
  std::map<std::pair<std::string, double>, std::string> known_;
};

}  // namespace

PhysicalMaterials physical_materials(const Scene& scene, const Model& model, Notes& notes) {
  return Translator(scene, model, notes).translate();
}

}  // namespace stickslip::convert
