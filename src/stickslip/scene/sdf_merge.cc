#include "stickslip/scene/sdf_merge.h"

#include <fmt/format.h>

#include <algorithm>

#include "stickslip/scene/sdf_values.h"
#include "stickslip/scene/xml_edit.h"

namespace stickslip::sdf {
namespace {

void set_attribute(XmlElement& element, const std::string& name, const std::string& value) {
  for (XmlAttribute& attribute : element.attributes) {
    if (attribute.name != name) continue;
    if (attribute.value.empty() || attribute.value == kModelFrame) attribute.value = value;
    return;
  }
  element.attributes.push_back({name, value, element.line, element.column});
}

XmlElement& require_child(XmlElement& element, const std::string& name) {
  for (XmlElement& child : element.children) {
    if (child.name == name) return child;
  }
  return element.children.emplace_back(empty_like(element, name));
}

// Wherever a name could mean the included model's frame.
void rename_model_frame(XmlElement& element, const std::string& frame) {
  for (XmlAttribute& attribute : element.attributes) {
    const bool names_frame = attribute.name == "relative_to" || attribute.name == "expressed_in" ||
                             attribute.name == "attached_to" || attribute.name == "frame";
    if (names_frame && attribute.value == kModelFrame) attribute.value = frame;
  }
  const bool names_body = element.name == "parent" || element.name == "child";
  if (names_body && element.content.value == kModelFrame) element.content.value = frame;
  for (XmlElement& child : element.children) rename_model_frame(child, frame);
}

}  // namespace

std::vector<XmlElement> merged(XmlElement model) {
  const std::string name = fmt::format("_merged__{}__model__", model.required_text("name"));
  XmlElement frame = empty_like(model, "frame");
  frame.attributes.push_back({"name", name, model.line, model.column});
  std::vector<XmlElement> out;
  std::string canonical = model.text("canonical_link", "");
  for (XmlElement& child : model.children) {
    if (child.name == "pose") {
      frame.children.push_back(std::move(child));
      continue;
    }
    if (child.name == "link" && canonical.empty()) canonical = child.text("name", "");
    const bool kept = child.name == "link" || child.name == "joint" || child.name == "frame" || child.name == "model";
    if (!kept) continue;
    rename_model_frame(child, name);
    if (child.name == "frame") set_attribute(child, "attached_to", name);
    if (child.name == "link" || child.name == "model") set_attribute(require_child(child, "pose"), "relative_to", name);
    out.push_back(std::move(child));
  }
  if (!canonical.empty()) {
    // It moves with the included model's canonical link, but stands where the pose says: relative to the model around.
    frame.attributes.push_back({"attached_to", canonical, model.line, model.column});
    set_attribute(require_child(frame, "pose"), "relative_to", kModelFrame);
  }
  out.push_back(std::move(frame));
  return out;
}

}  // namespace stickslip::sdf
