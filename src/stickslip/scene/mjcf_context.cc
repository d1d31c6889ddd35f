#include "stickslip/scene/mjcf_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"

namespace stickslip::mjcf {

void NameTable::add(const std::string& base, const std::string& suffix, std::size_t at, const Location& where) {
  const std::string name = base + suffix;
  if (!index.emplace(name, at).second) {
    throw ModelError("repeated-name", where, fmt::format("there are two {} elements of this name", kind), name,
                     "rename one of them");
  }
  if (!suffix.empty()) suffixes[base].push_back(suffix);
}

std::size_t NameTable::find(const std::string& name, const Location& where) const {
  const auto found = index.find(name);
  if (found != index.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, _] : index) names.push_back(known);
  std::sort(names.begin(), names.end());
  throw ModelError("unknown-name", where, fmt::format("there is no {} of this name", kind), name,
                   did_you_mean(name, names));
}

Context::Context(const XmlElement& root, const std::string& folder)
    : compiler(read_compiler(root, folder)), defaults(root), assets(root, defaults, compiler) {}

Geometry& Context::geometry(const GeomPlace& place) {
  return place.body ? scene.bodies[*place.body].geometry[place.index] : scene.world_geometry[place.index];
}

Pose Context::body_pose(const std::string& body, const Location& where) const {
  return body == kWorld ? Pose() : body_poses[bodies.find(body, where)];
}

std::string Context::body_name(const MjcfElement& element, std::string_view attribute,
                               const std::string& suffix) const {
  const std::string name = element.text(attribute, kWorld);
  if (name == kWorld) return kWorld;
  const std::string copy = with_suffix(bodies, name, suffix);
  bodies.find(copy, element.where(attribute));
  return copy;
}

void Context::warn_once(const std::string& code, const Location& where, const std::string& message) {
  if (warned_.insert(code + message).second) scene.warnings.push_back({code, where, message});
}

std::vector<std::string> copies_of(const XmlElement& element,
                                   std::span<const std::pair<std::string_view, const NameTable*>> references) {
  for (const auto& [attribute, table] : references) {
    const auto found = table->suffixes.find(element.text(attribute, ""));
    if (found != table->suffixes.end()) return found->second;
  }
  return {""};
}

std::string with_suffix(const NameTable& table, const std::string& name, const std::string& suffix) {
  return !suffix.empty() && table.contains(name + suffix) ? name + suffix : name;
}

}  // namespace stickslip::mjcf
