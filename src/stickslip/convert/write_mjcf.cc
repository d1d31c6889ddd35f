#include "stickslip/convert/write_mjcf.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "stickslip/base/printable.h"
#include "stickslip/convert/mjcf_sink.h"
#include "stickslip/convert/xml_text.h"
#include "stickslip/geometry/start_overlaps.h"

namespace stickslip {
namespace convert {
namespace {

MjcfSections add_sections(pugi::xml_node root) {
  pugi::xml_node compiler = root.append_child("compiler");
  set_text(compiler, "angle", "radian");
  set_text(compiler, "autolimits", "true");
  set_text(compiler, "inertiafromgeom", "false");  // masses are all written, none is to be guessed
  MjcfSections out;
  out.option = root.append_child("option");
  out.asset = root.append_child("asset");
  out.world = root.append_child("worldbody");
  out.contact = root.append_child("contact");
  out.tendon = root.append_child("tendon");
  out.equality = root.append_child("equality");
  out.actuator = root.append_child("actuator");
  out.keyframe = root.append_child("keyframe");
  return out;
}

void remove_empty_sections(pugi::xml_node root) {
  for (pugi::xml_node node = root.first_child(); node;) {
    const pugi::xml_node next = node.next_sibling();
    if (!node.first_child() && !node.first_attribute()) root.remove_child(node);
    node = next;
  }
}

bool is_forbidden(unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

// XML has no control characters, not even as numbers: each becomes its number between underscores.
void spell_control_characters(pugi::xml_node node, Notes& notes) {
  for (pugi::xml_attribute attribute : node.attributes()) {
    const std::string_view value = attribute.value();
    if (std::none_of(value.begin(), value.end(), is_forbidden)) continue;
    std::string spelt;
    for (const char c : value)
      spelt += is_forbidden(static_cast<unsigned char>(c)) ? fmt::format("_x{:02x}_", c) : std::string(1, c);
    if (std::string_view(attribute.name()) == "name")
      notes.add("renamed", {}, fmt::format("'{}'", printable(std::string(value))),
                "has control characters, which XML has not: their numbers stand in their place");
    attribute.set_value(spelt.c_str());
  }
  for (pugi::xml_node child : node.children()) spell_control_characters(child, notes);
}

std::string to_text(const pugi::xml_document& document) {
  std::ostringstream out;
  document.save(out, "  ", pugi::format_indent | pugi::format_no_declaration, pugi::encoding_utf8);
  return out.str();
}

}  // namespace

void write_options(MjcfSink& sink) {
  const SimulationOptions& options = sink.scene.simulation;
  pugi::xml_node option = sink.out.option;
  if (const auto step = options.time_step ? options.time_step : options.file_time_step)
    set_numbers(option, "timestep", {*step});
  if (sink.scene.gravity != Scene().gravity) set_vector(option, "gravity", sink.scene.gravity);
  set_text(option, "cone", "elliptic");  // friction that is the same in all directions, as ours
  if (!sink.scene.filter_parent_child) set_text(option.append_child("flag"), "filterparent", "disable");
  const auto note = [&](const char* word, bool given) {
    if (given)
      sink.notes.add("simulation-options", {sink.scene.file, 0, 0}, word, "MuJoCo's options have no such word");
  };
  note("method", !options.method.empty());
  note("accuracy", options.accuracy.has_value());
  note("until", options.until.has_value());
  note("friction", !options.friction.empty());
}

std::string unused_name(std::unordered_set<std::string>& taken, const std::string& wanted) {
  std::string name = wanted;
  while (!taken.insert(name).second) name += "_";
  return name;
}

std::vector<const MjcfJoint*> MjcfSink::parts(int joint) const {
  std::vector<const MjcfJoint*> found;
  for (const MjcfJoint& part : tree.bodies[model.joints[joint].child].joints) {
    if (part.joint == joint) found.push_back(&part);
  }
  return found;
}

}  // namespace convert

Converted write_mjcf(const Scene& given, const std::string& assets_folder) {
  using namespace convert;
  const Scene scene = exclude_start_overlaps(given);
  const Model model = compile(scene);
  Notes notes;
  AssetFiles assets(assets_folder);
  const ContactMasses masses(model);
  const MjcfTree tree = make_mjcf_tree(scene, model, notes);
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("mujoco");
  if (!scene.name.empty()) set_text(root, "model", scene.name);
  MjcfSink sink{scene, model, tree, masses, add_sections(root), notes, assets};
  sink.time_step = scene.simulation.time_step.value_or(scene.simulation.file_time_step.value_or(sink.time_step));
  sink.sites.resize(model.bodies.size());
  for (const Frame& frame : scene.frames) {
    sink.sites[model.find_body(frame.body)].push_back(frame);
    sink.site_names.insert(frame.name);
  }
  for (const Tendon& tendon : scene.tendons) sink.tendon_names.insert(tendon.name);
  write_options(sink);
  write_tendons(sink);
  write_equalities(sink);  // before the bodies, which bear their sites
  write_bodies(sink);
  note_mixing(sink);
  write_contacts(sink);
  write_actuators(sink);
  write_keyframes(sink);
  remove_empty_sections(root);
  spell_control_characters(root, notes);
  return {to_text(document), assets.take(), notes.list()};
}

}  // namespace stickslip
