#include "stickslip/scene/mjcf_attach.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "stickslip/base/names.h"
#include "stickslip/scene/mjcf_include.h"
#include "stickslip/scene/scene.h"
#include "stickslip/scene/xml_edit.h"
#include "stickslip/scene/xml_walk.h"

namespace stickslip::mjcf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepestAttachment = 16;
constexpr std::size_t kMostAttachments = 1000;

bool is_in(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Attributes that name things of the model.
bool is_reference(std::string_view a) {
  return is_in(a,
               {"class",     "childclass", "mesh",     "hfield",  "material", "texture",       "joint",    "joint1",
                "joint2",    "body",       "body1",    "body2",   "geom",     "geom1",         "geom2",    "site",
                "site1",     "site2",      "tendon",   "tendon1", "tendon2",  "jointinparent", "refsite",  "slidersite",
                "cranksite", "sidesite",   "actuator", "camera",  "objname",  "refname",       "subtree1", "subtree2"});
}

void set_attribute(XmlElement& element, const std::string& name, const std::string& value) {
  for (XmlAttribute& attribute : element.attributes) {
    if (attribute.name != name) continue;
    attribute.value = value;
    return;
  }
  element.attributes.push_back({name, value, element.line, element.column});
}

bool is_world(const XmlAttribute& attribute) {
  const bool of_body = attribute.name.starts_with("body") || is_in(attribute.name, {"objname", "refname"});
  return attribute.value == "world" && of_body;
}

void add_prefix(XmlElement& tree, const std::string& prefix) {
  for_each_element(tree, [&prefix](XmlElement& element) {
    for (XmlAttribute& attribute : element.attributes) {
      const bool names = attribute.name == "name" || is_reference(attribute.name);
      if (names && !attribute.value.empty() && !is_world(attribute)) attribute.value = prefix + attribute.value;
    }
  });
}

std::set<std::string> names_in(const XmlElement& tree) {
  std::set<std::string> out;
  for_each_element(tree, [&out](const XmlElement& element) {
    if (const auto name = element.text("name")) out.insert(*name);
  });
  return out;
}

// Whether all that an element of a section names is there: what refers to other parts of its model stays behind.
bool is_complete(const XmlElement& tree, const std::set<std::string>& names) {
  bool complete = true;
  for_each_element(tree, [&](const XmlElement& element) {
    for (const XmlAttribute& attribute : element.attributes) {
      const bool thing =
          is_reference(attribute.name) && !is_in(attribute.name, {"class", "childclass", "material", "mesh"});
      if (thing && !is_world(attribute) && !names.contains(attribute.value)) complete = false;
    }
  });
  return complete;
}

// An element of the kinematic tree, and the class that those around it give what is in it; null if there is none.
struct Found {
  XmlElement* element = nullptr;
  std::string childclass;
};

// The first of this kind and name.
Found find_in_tree(XmlElement& tree, const std::string& kind, const std::string& name) {
  Found found;
  walk(tree, std::string(), [&](XmlElement& element, const std::string& around) -> std::optional<std::string> {
    if (found.element) return {};
    if (element.name == kind && element.text("name", "") == name) found = {&element, around};
    return element.text("childclass", around);
  });
  return found;
}

std::vector<std::string> names_of_kind(const XmlElement& tree, const std::string& kind) {
  std::vector<std::string> out;
  for_each_element(tree, [&](const XmlElement& element) {
    if (element.name == kind && element.has("name")) out.push_back(element.text("name", ""));
  });
  return out;
}

// Sections stand in any order, and what names a thing may come before it: tendons, what acts on them, what is measured.
int section_rank(const XmlElement& section) {
  if (section.name == "sensor") return 3;
  if (section.name == "tendon") return 1;
  return is_in(section.name, {"default", "asset"}) ? 0 : 2;
}

// Elements that belong to no class.
bool is_classless(std::string_view name) { return is_in(name, {"exclude", "texture", "hfield", "model"}); }

class Attacher {
 public:
  Attacher(Attachments& out, const std::vector<std::string>& allowed_folders, std::size_t depth)
      : out_(out), allowed_folders_(allowed_folders), depth_(depth) {}

  void expand(XmlElement& root, const std::string& folder) {
    const Compiler compiler = read_compiler(root, folder, allowed_folders_);
    for (const XmlElement& section : root.children) {
      if (section.name != "asset") continue;
      for (const XmlElement& child : section.children) {
        if (child.name == "model") models_[model_name(child, compiler)] = compiler.asset_path(child);
      }
    }
    for (XmlElement& section : root.children) {
      if (section.name == "worldbody") expand_tree(section);
    }
    std::move(sections_.begin(), sections_.end(), std::back_inserter(root.children));
  }

 private:
  static std::string model_name(const XmlElement& model, const Compiler& compiler) {
    if (const auto name = model.text("name")) return *name;
    const std::string file = compiler.asset_path(model);
    return parse_xml(read_text_file(file, model.where("file")), file, kDeepestBody)
        .text("model", fs::path(file).stem().string());
  }

  void expand_tree(XmlElement& tree) {
    struct Here {};
    walk(tree, Here(), [this](XmlElement& element, Here) -> std::optional<Here> {
      if (element.name != "attach") return Here();
      element = attached(element);
      return {};  // the attached model has been expanded
    });
  }

  // The body or frame that it names, or a frame around all that the world of the other model holds.
  XmlElement attached(const XmlElement& attach) {
    if (depth_ >= kDeepestAttachment || out_.compilers.size() >= kMostAttachments) {
      throw ModelError("too-many-attachments", attach.where(), "models are attached to each other too often or deeply",
                       attach.text("model", ""), "look for a model that attaches itself");
    }
    XmlElement model = load(attach);
    const std::string prefix = attach.text("prefix", "");
    XmlElement tree = tree_of(model, attach);
    add_prefix(tree, prefix);
    if (!tree.has("childclass")) set_attribute(tree, "childclass", prefix + "main");
    set_attribute(tree, kAttachedCompiler, fmt::format("{}", out_.compilers.size() - 1));
    add_sections(model, tree, prefix);
    return tree;
  }

  XmlElement load(const XmlElement& attach) {
    const std::string name = attach.required_text("model");
    const auto found = models_.find(name);
    if (found == models_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, _] : models_) names.push_back(known);
      throw ModelError("unknown-name", attach.where("model"), "there is no <model> asset of this name", name,
                       did_you_mean(name, names));
    }
    const std::string& file = found->second;
    const std::string folder = fs::path(file).parent_path().string();
    XmlElement model = parse_xml(read_text_file(file, attach.where("model")), file, kDeepestBody);
    if (model.name != "mujoco") {
      throw ModelError("unsupported-attach", attach.where("model"), "the attached model is not MJCF", model.name);
    }
    expand_includes(model, folder, allowed_folders_);
    Attacher(out_, allowed_folders_, depth_ + 1).expand(model, folder);
    out_.compilers.push_back(read_compiler(model, folder, allowed_folders_));
    name_files(model, out_.compilers.back());
    return model;
  }

  // Files are named from the other model's folder.
  static void name_files(XmlElement& model, const Compiler& compiler) {
    for (XmlElement& section : model.children) {
      if (section.name != "asset") continue;
      for (XmlElement& asset : section.children) {
        const auto file = asset.text("file");
        if (!file || file->empty()) continue;
        if (!asset.has("name")) set_attribute(asset, "name", fs::path(*file).stem().string());
        set_attribute(asset, "file", fs::absolute(compiler.asset_path(asset)).string());
      }
    }
  }

  // Taken out of the model: the body or the frame that is named, where it stands in its parent, or all of the world.
  static XmlElement tree_of(XmlElement& model, const XmlElement& attach) {
    if (attach.has("body") && attach.has("frame")) {
      throw ModelError("unsupported-attach", attach.where("frame"), "<attach> names a body and a frame",
                       attach.text("frame", ""), "keep one of them");
    }
    for (const char* kind : {"body", "frame"}) {
      const auto name = attach.text(kind);
      if (name && !(name == kWorld && kind == std::string_view("body"))) return named_tree(model, attach, kind, *name);
    }
    XmlElement world = empty_like(attach, attach.has("body") ? "body" : "frame");
    if (attach.has("body")) set_attribute(world, "name", kWorld);
    for (XmlElement& section : model.children) {
      if (section.name != "worldbody") continue;
      std::move(section.children.begin(), section.children.end(), std::back_inserter(world.children));
    }
    return world;
  }

  static XmlElement named_tree(XmlElement& model, const XmlElement& attach, const std::string& kind,
                               const std::string& name) {
    std::vector<std::string> names;
    for (XmlElement& section : model.children) {
      if (section.name != "worldbody") continue;
      const Found found = find_in_tree(section, kind, name);
      if (!found.element) {
        const std::vector<std::string> more = names_of_kind(section, kind);
        names.insert(names.end(), more.begin(), more.end());
        continue;
      }
      XmlElement tree = std::move(*found.element);
      if (!found.childclass.empty() && !tree.has("childclass")) set_attribute(tree, "childclass", found.childclass);
      return tree;
    }
    throw ModelError("unknown-name", attach.where(kind), fmt::format("the attached model has no {} of this name", kind),
                     name, did_you_mean(name, names));
  }

  void add_sections(XmlElement& model, const XmlElement& tree, const std::string& prefix) {
    std::set<std::string> names = names_in(tree);
    bool has_defaults = false;
    std::stable_sort(model.children.begin(), model.children.end(),
                     [](const XmlElement& a, const XmlElement& b) { return section_rank(a) < section_rank(b); });
    for (XmlElement& section : model.children) {
      if (is_in(section.name, {"worldbody", "compiler", "option", "visual", "size", "statistic"})) continue;
      if (section.name == "keyframe") {
        out_.warnings.push_back(
            {"unsupported-element", section.where(), "<keyframe> of an attached model is left out"});
        continue;
      }
      add_prefix(section, prefix);
      if (section.name == "default") {
        if (!section.has("class")) set_attribute(section, "class", prefix + "main");
        section.name = kAttachedDefault;
        has_defaults = true;
      } else if (section.name != kAttachedDefault) {
        keep_complete(section, names, prefix + "main");
      }
      sections_.push_back(std::move(section));
    }
    if (has_defaults) return;
    XmlElement none = empty_like(tree, kAttachedDefault);
    set_attribute(none, "class", prefix + "main");
    sections_.push_back(std::move(none));
  }

  static void keep_complete(XmlElement& section, std::set<std::string>& names, const std::string& main_class) {
    const bool assets = section.name == "asset";
    std::vector<XmlElement> kept;
    for (XmlElement& child : section.children) {
      if (!assets && !is_complete(child, names)) continue;
      if (!assets && child.has("name")) names.insert(child.text("name", ""));  // for what follows
      if (!child.has("class") && !is_classless(child.name) && section.name != "sensor") {
        set_attribute(child, "class", main_class);
      }
      if (child.name != "model") kept.push_back(std::move(child));
    }
    section.children = std::move(kept);
  }

  Attachments& out_;
  const std::vector<std::string>& allowed_folders_;
  std::size_t depth_;
  std::map<std::string, std::string> models_;  // file by name
  std::vector<XmlElement> sections_;
};

}  // namespace

Attachments expand_attach(XmlElement& root, const std::string& folder,
                          const std::vector<std::string>& allowed_folders) {
  Attachments out;
  Attacher(out, allowed_folders, 0).expand(root, folder);
  return out;
}

}  // namespace stickslip::mjcf
