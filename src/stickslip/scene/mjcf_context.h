#pragma once

#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "stickslip/scene/mjcf_assets.h"
#include "stickslip/scene/mjcf_compiler.h"
#include "stickslip/scene/mjcf_defaults.h"
#include "stickslip/scene/scene.h"

namespace stickslip::mjcf {

// A name in the file, and what <replicate> appends to it.
struct CopiedName {
  std::string base;
  std::string suffix;
  int group = 0;  // which outermost <replicate>, in file order from 1; 0: none
};

// Names of one kind (bodies, joints, ...): where each thing is in the scene, and which names <replicate> multiplied.
struct NameTable {
  struct Copies {
    int group = 0;
    std::vector<std::string> suffixes;
  };
  std::string kind;  // for messages: "joint"
  std::unordered_map<std::string, std::size_t> index;
  std::unordered_map<std::string, Copies> copies;  // by base name

  void add(const CopiedName& name, std::size_t at, const Location& where);
  bool contains(const std::string& name) const { return index.contains(name); }
  std::size_t find(const std::string& name, const Location& where) const;  // throws "unknown-name"
};

using ContactKey = std::array<double, 15>;

struct GeomPlace {
  std::optional<std::size_t> body;  // none: the world
  std::size_t index = 0;
};

// What the parts of the reader share while a scene grows.
struct Context {
  Context(const XmlElement& root, const std::string& folder, const std::vector<std::string>& allowed_folders);
  Context(const Context&) = delete;  // assets refer to the compiler
  Context& operator=(const Context&) = delete;

  Compiler compiler;                         // of the part being read: attached models have their own
  std::vector<Compiler> attached_compilers;  // by <attach>
  Defaults defaults;
  Assets assets;
  Scene scene;
  bool repair = false;  // inertias that no matter can have

  NameTable bodies{"body", {}, {}};     // into scene.bodies
  NameTable joints{"joint", {}, {}};    // into scene.joints
  NameTable geoms{"geom", {}, {}};      // into geom_places
  NameTable sites{"site", {}, {}};      // into scene.frames
  NameTable tendons{"tendon", {}, {}};  // into scene.tendons
  std::set<std::string> unsupported_tendons;
  std::map<ContactKey, std::string> contact_materials;  // names of the scene's materials
  std::vector<GeomPlace> geom_places;
  std::vector<Pose> body_poses;  // X_WB in the reference configuration, for each of scene.bodies
  std::size_t joint_count = 0;   // MuJoCo's count: without the fixed joints we add

  Geometry& geometry(const GeomPlace& place);
  Pose body_pose(const std::string& body, const Location& where) const;  // X_WB; identity for the world
  std::string body_name(const MjcfElement& element, std::string_view attribute, const std::string& suffix) const;

  // The same kind of thing is warned about once, at its first place.
  void warn_once(const std::string& code, const Location& where, const std::string& message);

 private:
  std::set<std::string> warned_;
};

// An attribute that names something of a kind.
struct Reference {
  std::string_view attribute;
  const NameTable* table;
};

// An element of a section, repeated for every copy of the replicated things it (or a child of it) names.
struct Copy {
  const XmlElement* element;
  std::string suffix;  // empty: names nothing replicated
  int group;
};

// The elements of all sections of this name in MuJoCo's order: first those that name nothing replicated, then copy by
// copy.
std::vector<Copy> copies_in(const XmlElement& root, std::string_view section, std::span<const Reference> references);

// The copy's name if there is one with this suffix, the plain name otherwise.
std::string with_suffix(const NameTable& table, const std::string& name, const std::string& suffix);

}  // namespace stickslip::mjcf
