#include "stickslip/icf/start_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/dynamics/equations_of_motion.h"
#include "stickslip/icf/potentials/kinds.h"
#include "stickslip/state/state.h"

namespace stickslip {
namespace {

constexpr double kDigitsOfFiles = 1e-4;  // [m]
constexpr double kDigitsOfTurns = 1e-3;  // [rad]

// One point, turn or coordinate that a constraint holds.
struct Gap {
  int constraint = 0;
  bool is_turn = false;
  double size = 0, unit = 1;
  bool is_stiff = true;
  double speed = 0;  // at which it closes, if it is stiff
};

using Kind = Constraint::Kind;
constexpr Kind kOrder[] = {Kind::kCoupler, Kind::kWeld, Kind::kBall, Kind::kDistance};  // of their rows

class GapFinder {
 public:
  explicit GapFinder(const Model& model) : model_(model), equations_(model), rows_(model) {
    add_rows(initial_state(model));
    rows_.remember_masses(model, equations_.mass);
  }

  std::vector<Gap> find(const State& state) {
    add_rows(state);
    std::vector<Gap> out;
    size_t row = 0;
    for (const Kind kind : kOrder) {
      for (size_t i = 0; i < model_.constraints.size(); ++i) {
        const Constraint& x = model_.constraints[i].description;
        if (x.kind != kind || !x.active) continue;
        const int constraint = static_cast<int>(i);
        const size_t first = row;
        row += kind == Kind::kWeld ? 6 : kind == Kind::kBall ? 3 : 1;
        if (kind == Kind::kWeld) {
          if (!x.stiffness) out.push_back(gap_of(constraint, false, first, 3));
          if (!x.rotational_stiffness) out.push_back(gap_of(constraint, true, first + 3, 3));
        } else if (!x.stiffness) {
          out.push_back(gap_of(constraint, turns(i), first, row - first));
        }
      }
    }
    return out;
  }

 private:
  void add_rows(const State& state) {
    compute_equations_of_motion(model_, state, equations_);
    const RowContext context{
        {model_, state, equations_.kinematics}, equations_.mass, equations_.workspace.acceleration, scales_};
    rows_.clear();
    add_couplers(context, rows_);
    add_welds(context, rows_);
    add_balls(context, rows_);
    add_distances(context, rows_);
  }

  bool turns(size_t constraint) const {
    const ConstraintInfo& info = model_.constraints[constraint];
    if (info.description.kind != Kind::kCoupler || info.description.couples_tendons) return false;
    const JointType type = model_.joints[static_cast<size_t>(info.joint_a)].type;
    return type != JointType::kPrismatic;
  }

  Gap gap_of(int constraint, bool is_turn, size_t first, size_t count) const {
    const ForceSpec& row = rows_.forces[first];
    double squared = 0;
    for (size_t i = first; i < first + count; ++i) {
      const double e = rows_.forces[i].gap;
      squared += e * e;
    }
    const double unit = row.closing.largest / scales_.closing.largest;
    return {constraint, is_turn, std::sqrt(squared), unit, row.is_stiff, row.closing.speed};
  }

  const Model& model_;
  EquationsOfMotion equations_;
  RowList rows_;
  TimeScales scales_;
};

std::string name_of(const ConstraintInfo& info, const Model& model) {
  const Constraint& x = info.description;
  if (!x.name.empty()) return fmt::format("constraint '{}'", x.name);
  if (x.kind == Kind::kCoupler) return fmt::format("the coupling of '{}'", x.joint_a);
  return fmt::format("the constraint of bodies '{}' and '{}'", model.bodies[static_cast<size_t>(info.body_a)].name,
                     model.bodies[static_cast<size_t>(info.body_b)].name);
}

// How long it takes, and what it does meanwhile.
std::string closing_words(const Gap& gap, const Constraint& x) {
  if (!gap.is_stiff) return fmt::format("swings back with its time scale of {:.3g} s", x.time_scale.value_or(0));
  const ClosingSpeeds speeds;
  const double size = gap.size / gap.unit;
  return fmt::format("closes within {:.2g} s, at {:.2g} {} at most", speeds.time_to_close(size), gap.speed,
                     gap.is_turn         ? "rad/s"
                     : x.couples_tendons ? "a second"
                                         : "m/s");
}

std::string sentence(const Gap& gap, const Model& model, const std::string& where) {
  const ConstraintInfo& info = model.constraints[static_cast<size_t>(gap.constraint)];
  const Constraint& x = info.description;
  std::string what;
  if (x.kind == Kind::kCoupler) {
    what = fmt::format("'{}' is {:.3g}{} off what {} wants", x.joint_a, gap.size,
                       x.couples_tendons ? ""
                       : gap.is_turn     ? " rad"
                                         : " m",
                       name_of(info, model));
  } else if (x.kind == Kind::kDistance) {
    what = fmt::format("{} is off its length by {:.3g} m", name_of(info, model), gap.size);
  } else if (gap.is_turn) {
    what = fmt::format("{} is turned by {:.3g} rad", name_of(info, model), gap.size);
  } else {
    what = fmt::format("{} is open by {:.3g} m", name_of(info, model), gap.size);
  }
  return fmt::format("{}{}; it {}", where, what, closing_words(gap, x));
}

const Constraint& description(const Gap& gap, const Model& model) {
  return model.constraints[static_cast<size_t>(gap.constraint)].description;
}

bool is_same(const Gap& a, const Gap& b) { return std::abs(a.size - b.size) <= 1e-6 * b.size; }

bool is_worth_a_word(const Gap& gap) { return gap.size > gap.unit * (gap.is_turn ? kDigitsOfTurns : kDigitsOfFiles); }

}  // namespace

std::vector<Warning> warnings_of_start_gaps(const Model& model) {
  std::vector<Warning> out;
  if (model.constraints.empty()) return out;
  GapFinder finder(model);
  const std::vector<Gap> start = finder.find(initial_state(model));
  for (const Gap& gap : start) {
    if (is_worth_a_word(gap))
      out.push_back({"start-gap", description(gap, model).where, sentence(gap, model, "at the start ")});
  }
  for (size_t i = 0; i < model.keyframes.size(); ++i) {
    const std::vector<Gap> gaps = finder.find(keyframe_state(model, static_cast<int>(i)));
    const Gap* worst = nullptr;
    int more = -1;
    for (size_t k = 0; k < gaps.size(); ++k) {
      if (!is_worth_a_word(gaps[k]) || is_same(gaps[k], start[k])) continue;
      if (!worst || gaps[k].size / gaps[k].unit > worst->size / worst->unit) worst = &gaps[k];
      ++more;
    }
    if (!worst) continue;
    const std::string where = fmt::format("in keyframe '{}' ", model.keyframes[i].name);
    const std::string others = more > 0 ? fmt::format("; and {} more are open", more) : "";
    out.push_back({"start-gap", model.scene->keyframes[i].where, sentence(*worst, model, where) + others});
  }
  return out;
}

}  // namespace stickslip
