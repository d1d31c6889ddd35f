#include "stickslip/scene/sdf_include.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "stickslip/base/names.h"
#include "stickslip/scene/sdf_merge.h"
#include "stickslip/scene/urdf_files.h"
#include "stickslip/scene/xml_edit.h"
#include "stickslip/shapes/nearby.h"

namespace stickslip::sdf {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepestInclude = 16;

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// The file of a model's folder with the highest version: model.config lists them, model.sdf is the usual name.
fs::path file_in_folder(const fs::path& folder, const Location& where) {
  std::error_code ignored;
  const fs::path config = folder / "model.config";
  if (!fs::is_regular_file(config, ignored)) return folder / "model.sdf";
  const XmlElement manifest = load_xml(config.string());
  fs::path best = folder / "model.sdf";
  int highest = -1;
  for (const XmlElement& child : manifest.children) {
    if (child.name != "sdf" || child.content.value.empty()) continue;
    const int version = version_of(child);
    if (version <= highest) continue;
    highest = version;
    const std::vector<std::string> words = split_words(child.content.value);
    if (!words.empty()) best = folder / words.front();
  }
  if (!fs::is_regular_file(best, ignored)) {
    throw ModelError("no-such-file", where, fmt::format("there is no file '{}'", best.string()), best.string(),
                     "correct model.config");
  }
  return best;
}

class Expander {
 public:
  explicit Expander(SdfContext& context) : context_(context) {}

  void expand(XmlElement& element) {
    std::vector<XmlElement> children;
    children.reserve(element.children.size());
    for (XmlElement& child : element.children) {
      if (child.name == "include") {
        std::vector<XmlElement> included = load(child);
        std::move(included.begin(), included.end(), std::back_inserter(children));
      } else {
        if (child.name == "model" || child.name == "world") expand(child);
        children.push_back(std::move(child));
      }
    }
    element.children = std::move(children);
  }

 private:
  std::vector<XmlElement> load(const XmlElement& include) {
    const std::optional<std::string> uri = text_in(include, "uri");
    if (!uri) {
      throw ModelError("missing-element", include.where(), "<include> has no <uri>", "", "add <uri>model://name</uri>");
    }
    const std::optional<std::string> file = find_file(include, *uri);
    if (!file) return stand_in(include, *uri);
    require_allowed(include, *uri, *file);
    std::error_code ignored;  // a name that cannot be looked up is the name of no file
    const std::string canonical = fs::weakly_canonical(*file, ignored).string();
    const bool repeated = std::find(open_.begin(), open_.end(), canonical) != open_.end();
    if (repeated || open_.size() >= kDeepestInclude || --context_.includes_left < 0) {
      throw ModelError(repeated ? "include-cycle" : "too-many-includes", include.where(),
                       repeated ? "this model includes itself" : "the model includes too many files", *uri,
                       "remove one of the includes");
    }
    open_.push_back(canonical);
    XmlElement root = parse_xml(read_text_file(*file, include.where()), *file);
    std::optional<XmlElement> model = only_model(root, include, *uri);
    if (model) expand(*model);
    open_.pop_back();
    if (!model) return {};
    return overridden(std::move(*model), root, include);
  }

  std::optional<XmlElement> only_model(XmlElement& root, const XmlElement& include, const std::string& uri) {
    for (XmlElement& child : root.children) {
      if (root.name == "sdf" && child.name == "model") return std::move(child);
    }
    const bool harmless = root.child("light") || root.child("actor");
    if (root.name == "sdf" && harmless) {
      context_.ignore(include, root.children.front(), {});
      return {};
    }
    throw ModelError("unsupported-include", include.where(),
                     fmt::format("'{}' holds no SDF model; its root element is <{}>", uri, root.name), uri,
                     root.name == "robot" ? "include URDF and SDF files side by side in a scene file (.yaml)"
                                          : "name an SDF file with a <model>");
  }

  fs::path folder_of(const XmlElement& include) const {
    return include.is_in_memory() ? context_.folder : fs::path(*include.file).parent_path();
  }

  void require_allowed(const XmlElement& include, const std::string& uri, const std::string& file) const {
    if (include.is_in_memory()) return;
    // Models are looked up by name and may lie anywhere; their links may not lead anywhere.
    const fs::path folder = is_found_by_name(uri) ? fs::path(file).parent_path() : folder_of(include);
    require_nearby(file, folder.string(), context_.options.package_path, include.where(), uri);
  }

  std::optional<std::string> find_file(const XmlElement& include, const std::string& uri) const {
    const fs::path folder = folder_of(include);
    if (const auto file = resolve_uri(uri, folder, context_.options.package_path)) return file;
    const auto found = resolve_folder(uri, folder, context_.options.package_path);
    if (!found || !is_folder(*found)) return {};
    return file_in_folder(*found, include.where()).string();
  }

  // Gazebo knows two models by heart, and worlds that others wrote begin with them.
  std::vector<XmlElement> stand_in(const XmlElement& include, const std::string& uri) {
    if (uri.ends_with("model://sun") || uri.ends_with("model://sun/")) {
      context_.warn("ignored-element", include.where(), "the light 'model://sun' is left out");
      return {};
    }
    if (uri == "model://ground_plane" || uri == "model://ground_plane/") {
      context_.warn("standard-model", include.where(),
                    "'model://ground_plane' is not there; an endless plane at z = 0 stands in for it");
      XmlElement root = parse_xml(
          "<sdf><model name='ground_plane'><static>true</static><link name='link'><collision name='collision'>"
          "<geometry><plane><normal>0 0 1</normal></plane></geometry></collision></link></model></sdf>",
          *include.file);
      return overridden(std::move(root.children.front()), root, include);
    }
    throw ModelError("no-such-file", include.where(), fmt::format("there is no model '{}'", uri), uri,
                     uri.starts_with("http") ? "download the model and name its folder"
                                             : "give the folder that holds it as package_path, or in "
                                               "GZ_SIM_RESOURCE_PATH or GAZEBO_MODEL_PATH");
  }

  std::vector<XmlElement> overridden(XmlElement model, const XmlElement& root, const XmlElement& include) {
    const auto set_attribute = [&](const std::string& name, const std::string& value) {
      std::erase_if(model.attributes, [&](const XmlAttribute& a) { return a.name == name; });
      model.attributes.push_back({name, value, include.line, include.column});
    };
    set_attribute("version", root.text("version", "0"));
    if (const auto name = text_in(include, "name")) set_attribute("name", *name);
    for (const XmlElement& child : include.children) {
      if (child.name == "pose" || child.name == "static") {
        std::erase_if(model.children, [&](const XmlElement& other) { return other.name == child.name; });
        model.children.push_back(copy_without_children(child));
        // The placement frame of the included model belongs to the pose that was replaced.
        if (child.name == "pose" && !include.child("placement_frame")) set_attribute("placement_frame", "");
      }
      if (child.name == "placement_frame") set_attribute("placement_frame", text_in(include, "placement_frame", ""));
    }
    context_.ignore_all_but(include, {"uri", "name", "pose", "static", "placement_frame"});
    if (include.text("merge", "false") == "true" || include.text("merge", "") == "1") return merged(std::move(model));
    std::vector<XmlElement> out;
    out.push_back(std::move(model));
    return out;
  }

  SdfContext& context_;
  std::vector<std::string> open_;
};

}  // namespace

void expand_includes(XmlElement& root, SdfContext& context) { Expander(context).expand(root); }

}  // namespace stickslip::sdf
