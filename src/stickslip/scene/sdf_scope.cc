#include "stickslip/scene/sdf_scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/base/names.h"

namespace stickslip::sdf {
namespace {

constexpr std::size_t kLongestChain = 1000;  // of frames that are each relative to the next
const std::string kSeparator = "::";

}  // namespace

// Marks what is being resolved, to find cycles.
struct Scopes::Visit {
  Visit(Scopes& scopes, const void* key, const Location& where) : scopes_(scopes) {
    std::vector<const void*>& open = scopes_.visiting_;
    if (std::find(open.begin(), open.end(), key) != open.end()) {
      throw ModelError("frame-cycle", where, "frames are relative to each other in a cycle", "",
                       "let one of them be relative to its model");
    }
    if (open.size() >= kLongestChain) {
      throw ModelError("too-deep", where,
                       fmt::format("more than {} frames are each relative to the next", kLongestChain), "",
                       "let one of them be relative to its model");
    }
    open.push_back(key);
  }
  ~Visit() { scopes_.visiting_.pop_back(); }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

 private:
  Scopes& scopes_;
};

Scopes::Scopes(const XmlElement& root, SdfContext& context, Scene& scene) : context_(context) {
  const auto is_model = [](const XmlElement& child) { return child.name == "model"; };
  single_model_ = !root.child("world") && std::count_if(root.children.begin(), root.children.end(), is_model) == 1;
  collect(add(root, nullptr, false, scene), scene);
}

Scope& Scopes::add(const XmlElement& element, Scope* parent, bool is_model, Scene& scene) {
  Scope& scope = scopes_.emplace_back();
  scope.element = &element;
  scope.parent = parent;
  scope.is_model = is_model;
  scope.version = version_of(element);
  if (scope.version == 0 && parent) scope.version = parent->version;
  if (!parent) return scope;
  scope.is_static = parent->is_static || (is_model && flag_in(element, "static", false));
  scope.prefix = parent->prefix;
  if (is_model) {
    const std::string name = unused_model_name(*parent, element);
    // A file with one model needs no "robot::" before every name.
    if (parent->parent || !single_model_) scope.prefix += name + kSeparator;
    add_name(*parent, name, element, {NamedFrame::Kind::kModel, &element, &scope, 0});
    parent->models.push_back(&scope);
  }
  collect(scope, scene);
  return scope;
}

void Scopes::collect(Scope& scope, Scene& scene) {
  if (!scope.parent) {
    // One world, or the models of a file without any.
    const XmlElement* world = scope.element->child("world");
    for (const XmlElement& child : scope.element->children) {
      if (world ? &child == world : child.name == "model") add(child, &scope, !world, scene);
    }
    return;
  }
  for (const XmlElement& child : scope.element->children) {
    if (child.name == "link") add_link(scope, child, scene);
  }
  for (const XmlElement& child : scope.element->children) {
    if (child.name == "model") add(child, &scope, true, scene);
    if (child.name == "frame")
      add_name(scope, child.required_text("name"), child, {NamedFrame::Kind::kFrame, &child, nullptr, 0});
  }
  for (const XmlElement& child : scope.element->children) {
    if (child.name == "joint")
      add_name(scope, child.required_text("name"), child, {NamedFrame::Kind::kJoint, &child, nullptr, 0});
  }
}

void Scopes::add_link(Scope& scope, const XmlElement& link, Scene& scene) {
  add_name(scope, link.required_text("name"), link, {NamedFrame::Kind::kLink, &link, nullptr, scene.bodies.size()});
  scope.bodies.push_back(scene.bodies.size());
  Body body;
  body.name = scope.prefix + link.required_text("name");
  body.where = link.where();
  if (link.required_text("name") == kWorld) {
    body.name = scope.prefix + "world_link";
    body.fixed = true;
    context_.warn("reserved-name", link.where("name"),
                  "a link may not be named 'world' since SDF 1.7; it is part of the world and called 'world_link'");
  }
  scene.bodies.push_back(std::move(body));
}

// Files put together by hand have the same model twice; nothing refers to models by their names there.
std::string Scopes::unused_model_name(const Scope& parent, const XmlElement& model) {
  const std::string name = model.required_text("name");
  std::string unused = name;
  for (int k = 1; !parent.is_model && parent.names.contains(unused); ++k) unused = fmt::format("{}_{}", name, k);
  if (unused != name) {
    context_.warn("renamed-model", model.where("name"),
                  fmt::format("there is another model '{}'; this one is called '{}'", name, unused));
  }
  return unused;
}

void Scopes::add_name(Scope& scope, const std::string& name, const XmlElement& element, const NamedFrame& frame) {
  const auto [other, is_new] = scope.names.emplace(name, frame);
  if (is_new) return;
  const bool same_kind = other->second.kind == frame.kind;
  if (same_kind) {
    throw ModelError(
        "duplicate-name", element.where("name"),
        fmt::format("there is another <{}> '{}' at {}", element.name, name, other->second.element->where().str()), name,
        "rename one of them");
  }
  // Allowed until SDF 1.6, where joints were no frames.
  context_.warn("shared-name", element.where("name"),
                fmt::format("<{}> and <{}> are both named '{}'; as a frame the name means the <{}>",
                            other->second.element->name, element.name, name, other->second.element->name));
}

Scopes::Found Scopes::find(const Scope& scope, const std::string& name, const Location& where) const {
  if (name.empty() || name == kModelFrame || (name == kWorld && !scope.is_model)) return {&scope, nullptr};
  if (const auto found = scope.names.find(name); found != scope.names.end()) {
    const NamedFrame& frame = found->second;
    if (frame.kind == NamedFrame::Kind::kModel) return {frame.model, nullptr};
    return {&scope, &frame};
  }
  for (std::size_t at = name.find(kSeparator); at != std::string::npos; at = name.find(kSeparator, at + 1)) {
    const auto model = scope.names.find(name.substr(0, at));
    if (model == scope.names.end() || model->second.kind != NamedFrame::Kind::kModel) continue;
    return find(*model->second.model, name.substr(at + kSeparator.size()), where);
  }
  std::vector<std::string> names;
  for (const auto& [known, _] : scope.names) names.push_back(known);
  std::sort(names.begin(), names.end());
  throw ModelError("unknown-frame", where, fmt::format("there is no link, frame, joint or model '{}' here", name), name,
                   did_you_mean(name, names));
}

Pose Scopes::placed(const Scope& scope, const RawPose& raw, const std::string& fallback) {
  return pose(scope, raw.relative_to.empty() ? fallback : raw.relative_to, raw.where) * raw.pose;
}

Pose Scopes::pose(const Scope& scope, const std::string& name, const Location& where) {
  const Found found = find(scope, name, where);
  return pose_between(scope, *found.scope) * pose_of(found);
}

// X_OI for a model I somewhere inside O.
Pose Scopes::pose_between(const Scope& outer, const Scope& inner) {
  return &outer == &inner ? Pose() : pose_between(outer, *inner.parent) * pose_in_parent(inner);
}

Pose Scopes::pose_of(const Found& found) {
  if (!found.frame) return {};
  const XmlElement& element = *found.frame->element;
  if (const auto known = known_.find(&element); known != known_.end()) return known->second;
  const Visit visit(*this, &element, element.where());
  std::string fallback = kModelFrame;
  if (found.frame->kind == NamedFrame::Kind::kFrame) fallback = element.text("attached_to", "");
  if (found.frame->kind == NamedFrame::Kind::kJoint) fallback = text_in(element, "child", "");
  return known_[&element] = placed(*found.scope, pose_in(element), fallback);
}

Pose Scopes::pose_in_parent(const Scope& model) {
  if (!model.is_model) return {};
  if (const auto known = known_.find(&model); known != known_.end()) return known->second;
  const Visit visit(*this, &model, model.element->where());
  // <pose> places the placement frame P: X_PM = X_PP X_MP^-1.
  const std::string placement = model.element->text("placement_frame", "");
  const Pose X_MP = pose(model, placement, model.element->where("placement_frame"));
  return known_[&model] = placed(*model.parent, pose_in(*model.element), "") * X_MP.inverse();
}

Pose Scopes::pose_in_world(const Scope& scope) {
  return scope.parent ? pose_in_world(*scope.parent) * pose_in_parent(scope) : Pose();
}

std::size_t Scopes::body(const Scope& scope, const std::string& name, const Location& where) {
  if (name == kWorld && !scope.names.contains(name)) return kWorldBody;
  const Found found = find(scope, name, where);
  if (!found.frame) return canonical_body(*found.scope, where);
  const XmlElement& element = *found.frame->element;
  if (found.frame->kind == NamedFrame::Kind::kLink) return found.frame->body;
  const Visit visit(*this, &element, element.where());
  const bool is_joint = found.frame->kind == NamedFrame::Kind::kJoint;
  const std::string holder = is_joint ? text_in(element, "child", "") : element.text("attached_to", "");
  return body(*found.scope, holder, element.where());
}

std::size_t Scopes::canonical_body(const Scope& scope, const Location& where) {
  if (!scope.is_model) return kWorldBody;
  if (const auto name = scope.element->text("canonical_link"); name && !name->empty()) {
    return body(scope, *name, scope.element->where("canonical_link"));
  }
  if (!scope.bodies.empty()) return scope.bodies.front();
  for (const Scope* model : scope.models) return canonical_body(*model, where);
  throw ModelError("no-links", where, "this model has no links to attach to", scope.element->text("name", ""),
                   "add a <link>");
}

}  // namespace stickslip::sdf
