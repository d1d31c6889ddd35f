#include "stickslip/scene/mjcf_context.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"

namespace stickslip::mjcf {
namespace {

const NameTable::Copies* copies_named_by(const XmlElement& element, std::span<const Reference> references) {
  for (const auto& [attribute, table] : references) {
    const auto found = table->copies.find(element.text(attribute, ""));
    if (found != table->copies.end()) return &found->second;
  }
  for (const XmlElement& child : element.children) {
    if (const NameTable::Copies* found = copies_named_by(child, references)) return found;
  }
  return nullptr;
}

}  // namespace

void NameTable::add(const CopiedName& copied, std::size_t at, const Location& where) {
  const std::string name = copied.base + copied.suffix;
  if (!index.emplace(name, at).second) {
    throw ModelError("repeated-name", where, fmt::format("there are two {} elements of this name", kind), name,
                     "rename one of them");
  }
  if (copied.suffix.empty()) return;
  Copies& all = copies[copied.base];
  all.group = copied.group;
  all.suffixes.push_back(copied.suffix);
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

Context::Context(const XmlElement& root, const std::string& folder, const std::vector<std::string>& allowed_folders)
    : compiler(read_compiler(root, folder, allowed_folders)), defaults(root), assets(root, defaults, compiler) {}

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

std::vector<Copy> copies_in(const XmlElement& root, std::string_view section, std::span<const Reference> references) {
  std::vector<std::pair<std::pair<int, std::size_t>, Copy>> ordered;  // by group and number of the copy
  for (const XmlElement& parent : root.children) {
    if (parent.name != section) continue;
    for (const XmlElement& child : parent.children) {
      const NameTable::Copies* copies = copies_named_by(child, references);
      if (!copies) ordered.push_back({{0, 0}, {&child, "", 0}});
      for (std::size_t k = 0; copies && k < copies->suffixes.size(); ++k) {
        ordered.push_back({{copies->group, k}, {&child, copies->suffixes[k], copies->group}});
      }
    }
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Copy> out;
  for (auto& [_, copy] : ordered) out.push_back(std::move(copy));
  return out;
}

std::string with_suffix(const NameTable& table, const std::string& name, const std::string& suffix) {
  return !suffix.empty() && table.contains(name + suffix) ? name + suffix : name;
}

}  // namespace stickslip::mjcf
