// What `stickslip check` prints for people: the model as a tree, its materials, and every warning under what became of
// what it is about.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "checked.h"
#include "stickslip/base/codes.h"
#include "stickslip/base/printable.h"

namespace stickslip::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

struct Row {
  std::string body, mass, moments, joint, q, limits, shapes;
};

bool turns(JointType type) { return type != JointType::kPrismatic && type != JointType::kPlanar; }

std::string limits_of(const JointInfo& joint) {
  std::string out;
  const char* unit = turns(joint.type) ? "rad" : "m";
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : ", ") + words; };
  if (joint.limits.bounded()) add(fmt::format("{:.4g} .. {:.4g} {}", joint.limits.lower, joint.limits.upper, unit));
  if (std::isfinite(joint.velocity_limit)) add(fmt::format("{:.4g} {}/s", joint.velocity_limit, unit));
  if (std::isfinite(joint.effort_limit))
    add(fmt::format("{:.4g} {}", joint.effort_limit, turns(joint.type) ? "N m" : "N"));
  return out;
}

// "2 box, sphere (rubber)": what collides, and of what it is made.
std::string shapes_of(const BodyInfo& body) {
  std::vector<std::pair<std::string, int>> counted;
  for (const Geometry& geometry : body.geometry) {
    if (!geometry.collides) continue;
    const std::string material = geometry.material.empty() ? "" : fmt::format(" ({})", geometry.material);
    const std::string words = shape_name(geometry.shape) + material;
    const auto same = std::find_if(counted.begin(), counted.end(), [&](const auto& c) { return c.first == words; });
    if (same == counted.end()) {
      counted.emplace_back(words, 1);
    } else {
      ++same->second;
    }
  }
  std::string out;
  for (const auto& [words, count] : counted)
    out += (out.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} {}", count, words) : words);
  return out;
}

// Of a body without a joint that moves.
const char* how_it_stands(const Model& model, const BodyInfo& body) {
  if (body.mocap >= 0) return "mocap";
  if (body.link == 0) return "fixed";
  const bool is_prescribed = body.parent == 0 && model.links[static_cast<size_t>(body.link)].motion >= 0;
  return is_prescribed ? "prescribed" : "fixed to parent";
}

// Depth first, children in file order; without recursion, for chains may be long.
std::vector<Row> rows_of(const Model& model) {
  std::vector<std::vector<int>> children(model.bodies.size()), joints(model.bodies.size());
  for (size_t i = 1; i < model.bodies.size(); ++i) {
    children[static_cast<size_t>(model.bodies[i].parent)].push_back(static_cast<int>(i));
  }
  for (size_t j = 0; j < model.joints.size(); ++j) {
    joints[static_cast<size_t>(model.joints[j].child)].push_back(static_cast<int>(j));
  }
  constexpr size_t kDeepestIndent = 20;  // then the names would leave the screen
  std::vector<Row> out;
  std::vector<std::pair<int, size_t>> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [index, depth] = stack.back();
    stack.pop_back();
    const BodyInfo& body = model.bodies[static_cast<size_t>(index)];
    Row row{.body = std::string(2 * std::min(depth, kDeepestIndent), ' ') + body.name};
    row.shapes = shapes_of(body);
    if (index > 0) {
      const Vector3d m = moments_of(body);
      row.mass = fmt::format("{:.5g}", body.inertia.mass);
      if (!m.isZero(0)) row.moments = fmt::format("{:.3g} {:.3g} {:.3g}", m[0], m[1], m[2]);
      const std::vector<int>& moved_by = joints[static_cast<size_t>(index)];
      if (moved_by.empty()) row.joint = how_it_stands(model, body);
      for (const int j : moved_by) {
        const JointInfo& joint = model.joints[static_cast<size_t>(j)];
        row.joint += fmt::format("{}{} {}", row.joint.empty() ? "" : " + ", joint_type_name(joint.type), joint.name);
        if (row.q.empty()) row.q = fmt::format("{}", joint.q_start);
        const std::string limits = limits_of(joint);
        if (!limits.empty()) row.limits += (row.limits.empty() ? "" : "; ") + limits;
      }
    }
    for (std::string* cell : {&row.body, &row.joint, &row.shapes}) *cell = on_one_line(*cell);
    out.push_back(std::move(row));
    const std::vector<int>& next = children[static_cast<size_t>(index)];
    for (auto child = next.rbegin(); child != next.rend(); ++child) stack.emplace_back(*child, depth + 1);
  }
  return out;
}

// How a simulation goes unless it is told otherwise.
void print_steps(const Model& model, Out to) {
  const StepChoice steps = step_choice({}, model);
  fmt::format_to(to, "simulated with {}, {}\n", chosen_method({}, model), to_string(steps));
  if (steps.unused_file_step) fmt::format_to(to, "{}\n", unused_step_note(steps));
  fmt::format_to(to, "\n");
}

void print_tree(const Model& model, Out to) {
  std::vector<Row> rows = rows_of(model);
  rows.insert(rows.begin(), Row{"body", "mass [kg]", "moments [kg m^2]", "moved by", "q", "limits", "collides as"});
  const auto width = [&](auto member) {
    size_t widest = 0;
    for (const Row& row : rows) widest = std::max(widest, (row.*member).size());
    return widest;
  };
  const size_t body = width(&Row::body), mass = width(&Row::mass), moments = width(&Row::moments),
               joint = width(&Row::joint), q = width(&Row::q), limits = width(&Row::limits);
  for (const Row& row : rows) {
    std::string line = fmt::format("{:<{}}  {:>{}}  {:<{}}  {:<{}}  {:>{}}  {:<{}}  {}", row.body, body, row.mass, mass,
                                   row.moments, moments, row.joint, joint, row.q, q, row.limits, limits, row.shapes);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::format_to(to, "{}\n", line);
  }
}

void print_materials(const Model& model, Out to) {
  if (model.materials.empty()) return;
  fmt::format_to(to, "\n{:<24} {:>16} {:>18} {:>20}\n", "material", "stiffness [N/m]", "dissipation [s/m]", "friction");
  for (const Material& m : model.materials) {
    const std::string friction = m.static_friction == m.dynamic_friction
                                     ? fmt::format("{:.4g}", m.static_friction)
                                     : fmt::format("{:.4g} / {:.4g}", m.static_friction, m.dynamic_friction);
    // MuJoCo's parameters become newtons once two bodies meet.
    const std::string stiffness = m.mjcf ? "by solref" : fmt::format("{:.4g}", m.stiffness);
    const std::string dissipation = m.mjcf              ? "by solref"
                                    : m.relaxation_time ? fmt::format("{:.4g} s", *m.relaxation_time)
                                                        : fmt::format("{:.4g}", m.dissipation);
    fmt::format_to(to, "{:<24} {:>16} {:>18} {:>20}\n", on_one_line(m.name), stiffness, dissipation, friction);
  }
}

void print_sensors(const std::vector<Sensor>& sensors, Out to) {
  if (sensors.empty()) return;
  size_t name = 0, type = 0;
  for (const Sensor& sensor : sensors) {
    name = std::max(name, sensor.name.size());
    type = std::max(type, sensor.type.size());
  }
  fmt::format_to(to, "\nsensors, which nothing here reads ({}):\n", sensors.size());
  for (const Sensor& sensor : sensors) {
    std::string line =
        fmt::format("  {:<{}}  {:<{}}  {} {}", sensor.name, name, sensor.type, type, sensor.object_type, sensor.object);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::format_to(to, "{}\n", on_one_line(line));
  }
}

void print_warnings(const std::vector<Warning>& warnings, Out to) {
  for (const Change change :
       {Change::kRepaired, Change::kTranslated, Change::kAssumed, Change::kLeftOut, Change::kNoted, Change::kNone}) {
    bool is_first = true;
    for (const Warning& warning : warnings) {
      const Code* code = find_code(warning.code);
      if ((code ? code->change : Change::kNone) != change) continue;
      if (is_first) fmt::format_to(to, "\n{}:\n", change == Change::kNone ? "warnings" : to_string(change));
      is_first = false;
      fmt::format_to(to, "  {}: {} [{}]\n", warning.where.str(), on_one_line(warning.message), warning.code);
    }
  }
}

}  // namespace

std::string as_text(const Checked& checked, bool with_assumptions) {
  const Model& model = checked.model;
  std::string out;
  Out to(out);
  fmt::format_to(to, "{}: {} bodies, {} joints, {} actuators, {} constraints; nq {}, nv {}; {:.6g} kg\n",
                 on_one_line(model.name.empty() ? model.file : model.name), model.bodies.size() - 1,
                 model.joints.size(), model.actuators.size(), model.constraints.size(), model.nq, model.nv,
                 model.total_mass());
  print_steps(model, to);
  print_tree(model, to);
  print_materials(model, to);
  print_sensors(model.scene->sensors, to);
  print_warnings(checked.warnings, to);
  if (with_assumptions) {
    fmt::format_to(to, "\nto simulate it{}\n", checked.assumptions.empty() ? ", nothing need be assumed" : ":");
    for (const Assumption& a : checked.assumptions)
      fmt::format_to(to, "  {}: {} [{}]\n", a.where.str(), on_one_line(a.message), a.code);
  }
  if (!checked.warnings.empty())
    fmt::format_to(to, "\n{} warnings; 'stickslip explain CODE' says more\n", checked.warnings.size());
  return out;
}

}  // namespace stickslip::cli
