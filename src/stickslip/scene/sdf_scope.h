#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "stickslip/scene/robot_context.h"
#include "stickslip/scene/sdf_values.h"

// Names and poses of SDF: every model (and the world) is a scope whose links, joints, frames and nested models are
// frames by their names; "arm::hand::palm" looks into nested models.
namespace stickslip::sdf {

struct SdfContext : RobotContext {
  SdfContext() : RobotContext("SDF") {}

  int includes_left = 10'000;  // bounds what files that include each other several times can grow to
  std::map<std::array<double, 5>, std::string> surfaces;  // names of the scene's materials, by their numbers
};

struct Scope;

struct NamedFrame {
  enum class Kind { kLink, kFrame, kJoint, kModel };
  Kind kind = Kind::kLink;
  const XmlElement* element = nullptr;
  Scope* model = nullptr;  // kModel
  std::size_t body = 0;    // kLink: index of the scene's body
};

struct Scope {
  const XmlElement* element = nullptr;
  Scope* parent = nullptr;  // none: the file
  bool is_model = false;    // else the world or the file, whose frame is the world's
  std::string prefix;       // of the names of what is in it
  int version = 0;          // of its file: 104 is 1.4; 0: unknown
  bool is_static = false;
  std::vector<Scope*> models;
  std::vector<std::size_t> bodies;  // of its own links
  std::unordered_map<std::string, NamedFrame> names;
};

// The world's frame or body, as what a name may mean.
constexpr std::size_t kWorldBody = static_cast<std::size_t>(-1);

// All scopes of a file, the file's own first; the scene gets a named body for each link, in file order.
class Scopes {
 public:
  Scopes(const XmlElement& root, SdfContext& context, Scene& scene);

  const std::deque<Scope>& all() const { return scopes_; }
  // X_MF of a frame in its model; "" and "__model__" are the model's own.
  Pose pose(const Scope& scope, const std::string& name, const Location& where);
  // Where a raw pose puts something, in the scope's frame; `fallback` names what it is relative to by default.
  Pose placed(const Scope& scope, const RawPose& raw, const std::string& fallback);
  Pose pose_in_world(const Scope& scope);
  // The body that a frame moves with; kWorldBody for the world's.
  std::size_t body(const Scope& scope, const std::string& name, const Location& where);

 private:
  struct Found {
    const Scope* scope;
    const NamedFrame* frame;  // null: the frame of the scope itself
  };
  struct Visit;

  Scope& add(const XmlElement& element, Scope* parent, bool is_model, Scene& scene);
  void collect(Scope& scope, Scene& scene);
  void add_link(Scope& scope, const XmlElement& link, Scene& scene);
  std::string unused_model_name(const Scope& parent, const XmlElement& model);
  void add_name(Scope& scope, const std::string& name, const XmlElement& element, const NamedFrame& frame);
  Found find(const Scope& scope, const std::string& name, const Location& where) const;
  Pose pose_of(const Found& found);         // in found.scope
  Pose pose_in_parent(const Scope& model);  // X_PM
  Pose pose_between(const Scope& outer, const Scope& inner);
  std::size_t canonical_body(const Scope& scope, const Location& where);

  SdfContext& context_;
  bool single_model_ = false;
  std::deque<Scope> scopes_;
  std::map<const void*, Pose> known_;  // by element, or by scope for X_PM
  std::vector<const void*> visiting_;
};

}  // namespace stickslip::sdf
