// What `stickslip check --json` prints for programs.
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "checked.h"
#include "stickslip/base/codes.h"
#include "stickslip/log/report_json.h"

namespace stickslip::cli {
namespace {

using nlohmann::ordered_json;

// JSON has no infinity: an absent limit is null.
ordered_json number_or_null(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }

ordered_json or_null(const std::optional<double>& x) { return x ? ordered_json(*x) : ordered_json(nullptr); }

ordered_json place(const Location& where) {
  return {{"file", where.file}, {"line", where.line}, {"column", where.column}};
}

ordered_json describe(const Geometry& geometry) {
  return {{"name", geometry.name},
          {"shape", shape_name(geometry.shape)},
          {"material", geometry.material},
          {"collides", geometry.collides},
          {"visible", geometry.visible}};
}

ordered_json describe(const Model& model, const BodyInfo& body) {
  const Vector3d moments = moments_of(body), &center = body.inertia.center;
  const Matrix3d& i = body.inertia.inertia;
  ordered_json out{{"name", body.name},
                   {"parent", model.bodies[static_cast<size_t>(body.parent)].name},
                   {"mass", body.inertia.mass},
                   {"center", {center.x(), center.y(), center.z()}},
                   {"inertia", {i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)}},  // xx yy zz xy xz yz
                   {"moments", {moments[0], moments[1], moments[2]}},
                   {"fixed", body.link == 0},
                   {"geometries", body.geometry.size()}};
  out["geometry"] = ordered_json::array();
  for (const Geometry& geometry : body.geometry) out["geometry"].push_back(describe(geometry));
  out.update(place(body.where));
  return out;
}

ordered_json describe(const Model& model, const JointInfo& joint) {
  const Link& link = model.links[static_cast<size_t>(joint.link)];
  ordered_json out{{"name", joint.name},
                   {"type", joint_type_name(joint.type)},
                   {"parent", model.bodies[static_cast<size_t>(joint.parent)].name},
                   {"child", model.bodies[static_cast<size_t>(joint.child)].name},
                   {"q_start", joint.q_start},
                   {"v_start", joint.v_start},
                   {"lower", number_or_null(joint.limits.lower)},
                   {"upper", number_or_null(joint.limits.upper)},
                   {"velocity_limit", number_or_null(joint.velocity_limit)},
                   {"effort_limit", number_or_null(joint.effort_limit)},
                   {"damping", link.damping},
                   {"stiffness", link.stiffness},
                   {"armature", link.armature},
                   {"dry_friction", joint.dry_friction}};
  out.update(place(joint.where));
  return out;
}

ordered_json describe(const Material& m) {
  ordered_json out{{"name", m.name},
                   {"stiffness", number_or_null(m.stiffness)},
                   {"dissipation", m.dissipation},
                   {"static_friction", m.static_friction},
                   {"dynamic_friction", m.dynamic_friction},
                   {"from_mjcf", m.mjcf.has_value()}};
  out.update(place(m.where));
  return out;
}

ordered_json describe(const Sensor& sensor) {
  ordered_json out{
      {"name", sensor.name}, {"type", sensor.type}, {"object_type", sensor.object_type}, {"object", sensor.object}};
  out.update(place(sensor.where));
  return out;
}

ordered_json describe(const Warning& warning) {
  ordered_json out = to_json(warning);
  const Code* code = find_code(warning.code);
  out["change"] = code ? to_string(code->change) : "";
  return out;
}

// Names in files need not be UTF-8; JSON must be.
std::string dump(const ordered_json& json) {
  return json.dump(2, ' ', /*ensure_ascii=*/false, ordered_json::error_handler_t::replace);
}

}  // namespace

std::string as_json(const Checked& checked, bool with_assumptions) {
  const Model& model = checked.model;
  ordered_json out{{"name", model.name}, {"file", model.file}, {"nq", model.nq},
                   {"nv", model.nv},     {"nu", model.nu},     {"total_mass", model.total_mass()}};
  const StepChoice steps = step_choice({}, model);
  out["simulation"] = {{"method", chosen_method({}, model)},
                       {"accuracy", or_null(steps.accuracy)},
                       {"time_step", or_null(steps.time_step)},
                       {"unused_file_time_step", or_null(steps.unused_file_step)}};
  out["bodies"] = ordered_json::array();
  for (size_t i = 1; i < model.bodies.size(); ++i) out["bodies"].push_back(describe(model, model.bodies[i]));
  out["joints"] = ordered_json::array();
  for (const JointInfo& joint : model.joints) out["joints"].push_back(describe(model, joint));
  out["materials"] = ordered_json::array();
  for (const Material& material : model.materials) out["materials"].push_back(describe(material));
  out["actuators"] = model.actuator_names();
  out["sensors"] = ordered_json::array();
  for (const Sensor& sensor : model.scene->sensors) out["sensors"].push_back(describe(sensor));
  out["warnings"] = ordered_json::array();
  for (const Warning& warning : checked.warnings) out["warnings"].push_back(describe(warning));
  if (with_assumptions) {
    out["assumptions"] = ordered_json::array();
    for (const Assumption& a : checked.assumptions) {
      out["assumptions"].push_back(to_json(Warning{a.code, a.where, a.message}));
    }
  }
  return dump(out);
}

std::string as_json(const ModelError& error) {
  ordered_json out{{"code", error.code()}};
  out.update(place(error.where()));
  out.update({{"message", error.message()}, {"text", error.text()}, {"fix", error.fix()}});
  return dump({{"error", out}});
}

}  // namespace stickslip::cli
