#include "stickslip/scene/mjcf.h"

#include <filesystem>

#include "stickslip/scene/mjcf_actuators.h"
#include "stickslip/scene/mjcf_attach.h"
#include "stickslip/scene/mjcf_bodies.h"
#include "stickslip/scene/mjcf_contacts.h"
#include "stickslip/scene/mjcf_context.h"
#include "stickslip/scene/mjcf_equality.h"
#include "stickslip/scene/mjcf_include.h"
#include "stickslip/scene/mjcf_options.h"
#include "stickslip/scene/mjcf_schema.h"
#include "stickslip/scene/mjcf_sensors.h"
#include "stickslip/scene/mjcf_tendons.h"

namespace stickslip {
namespace {

Scene read(const std::string& text, const std::string& file, const std::string& folder, const LoadOptions& options) {
  XmlElement root = parse_xml(text, file, mjcf::kDeepestBody);
  if (root.name != "mujoco") {
    throw ModelError("not-mjcf", root.where(), "the root element of an MJCF file is <mujoco>", root.name);
  }
  mjcf::expand_includes(root, folder, options.package_path);
  mjcf::Attachments attachments = mjcf::expand_attach(root, folder, options.package_path);
  check_nesting(root, mjcf::kDeepestBody);
  mjcf::Context context(root, folder, options.package_path);
  context.attached_compilers = std::move(attachments.compilers);
  context.scene.warnings = std::move(attachments.warnings);
  context.repair = options.repair_all;
  context.scene.file = file;
  context.scene.name = root.text("model", "");
  mjcf::check_words(context, root);
  mjcf::read_bodies(context, root);
  mjcf::read_contacts(context, root);
  mjcf::read_tendons(context, root);
  mjcf::read_equality(context, root);
  mjcf::read_actuators(context, root);
  mjcf::read_sensors(context, root);
  mjcf::read_keyframes(context, root);
  mjcf::apply_options(context, root);
  return std::move(context.scene);
}

}  // namespace

Scene read_mjcf(const std::string& file, const LoadOptions& options) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return read(read_text_file(file), file, folder.empty() ? "." : folder, options);
}

Scene read_mjcf_string(const std::string& text, const std::string& folder, const LoadOptions& options) {
  return read(text, "", folder, options);
}

}  // namespace stickslip
