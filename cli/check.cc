// stickslip check: what was loaded, and every warning with its place.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "load.h"
#include "stickslip/log/report_json.h"

namespace stickslip::cli {
namespace {

using nlohmann::ordered_json;

struct CheckArguments {
  SceneArguments scene;
  bool json = false, strict = false;
};

// JSON has no infinity: an absent limit is null.
ordered_json number_or_null(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }

ordered_json describe(const Model& model) {
  ordered_json out{{"name", model.name}, {"file", model.file}, {"nq", model.nq},
                   {"nv", model.nv},     {"nu", model.nu},     {"total_mass", model.total_mass()}};
  out["bodies"] = ordered_json::array();
  for (size_t i = 1; i < model.bodies.size(); ++i) {
    const BodyInfo& body = model.bodies[i];
    out["bodies"].push_back({{"name", body.name},
                             {"parent", model.bodies[body.parent].name},
                             {"mass", body.inertia.mass},
                             {"fixed", body.link == 0},
                             {"geometries", body.geometry.size()}});
  }
  out["joints"] = ordered_json::array();
  for (const JointInfo& joint : model.joints) {
    out["joints"].push_back({{"name", joint.name},
                             {"type", joint_type_name(joint.type)},
                             {"parent", model.bodies[joint.parent].name},
                             {"child", model.bodies[joint.child].name},
                             {"q_start", joint.q_start},
                             {"v_start", joint.v_start},
                             {"lower", number_or_null(joint.limits.lower)},
                             {"upper", number_or_null(joint.limits.upper)}});
  }
  out["actuators"] = model.actuator_names();
  out["warnings"] = ordered_json::array();
  for (const Warning& warning : model.warnings) out["warnings"].push_back(to_json(warning));
  return out;
}

void print(const Model& model) {
  fmt::print("{}: {} bodies, {} joints, {} actuators, {} constraints; nq {}, nv {}; {:.6g} kg\n",
             model.name.empty() ? model.file : model.name, model.bodies.size() - 1, model.joints.size(),
             model.actuators.size(), model.constraints.size(), model.nq, model.nv, model.total_mass());
  if (model.bodies.size() > 1) fmt::print("\n{:<32} {:<24} {:>12}\n", "body", "parent", "mass [kg]");
  for (size_t i = 1; i < model.bodies.size(); ++i) {
    const BodyInfo& body = model.bodies[i];
    fmt::print("{:<32} {:<24} {:>12.6g}\n", body.name, model.bodies[body.parent].name, body.inertia.mass);
  }
  if (!model.joints.empty()) fmt::print("\n{:<32} {:<12} {:>4} {:>4}  limits\n", "joint", "type", "q", "v");
  for (const JointInfo& joint : model.joints) {
    const std::string limits =
        joint.limits.bounded() ? fmt::format("{:.6g} .. {:.6g}", joint.limits.lower, joint.limits.upper) : "";
    fmt::print("{:<32} {:<12} {:>4} {:>4}  {}\n", joint.name, joint_type_name(joint.type), joint.q_start, joint.v_start,
               limits);
  }
  if (!model.warnings.empty()) fmt::print("\n");
  for (const Warning& warning : model.warnings) fmt::print("{}\n", warning.str());
}

int check_scene(const CheckArguments& arguments) {
  const Model model = arguments.scene.load();
  if (arguments.json) {
    fmt::print("{}\n", describe(model).dump(2));
  } else {
    print(model);
  }
  return arguments.strict && !model.warnings.empty() ? kStoppedEarly : kDone;
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "show what a file contains and every warning about it");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->scene.add_to(*command);
  command->add_flag("--json", arguments->json, "print one JSON value");
  command->add_flag("--strict", arguments->strict, "exit with 1 if there is any warning");
  command->callback([arguments, &exit_code] { exit_code = check_scene(*arguments); });
}

}  // namespace stickslip::cli
