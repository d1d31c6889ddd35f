#include "stickslip/simulate/hold_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "stickslip/base/printable.h"
#include "stickslip/control/name_tree.h"

namespace stickslip {
namespace {

constexpr double kSomeJumps = 0.1;   // of the steps
constexpr int kGrowing = 3;          // steps: a factor of 125
constexpr double kRemembered = 512;  // steps: half of them are forgotten then

// The joint whose motion errs most often.
std::string who(const Model& model, const std::vector<double>& worst) {
  const JointInfo* most = nullptr;
  double count = 0;
  for (const JointInfo& joint : model.joints) {
    const auto begin = worst.begin() + joint.v_start;
    const double own = std::accumulate(begin, begin + joint.nv, 0.0);
    if (own <= count) continue;
    count = own;
    most = &joint;
  }
  if (!most) return "the states of external systems";
  const BodyInfo& body = model.bodies[most->child];
  const std::string name = most->type == JointType::kFree
                               ? fmt::format("body '{}'", body.name)
                               : fmt::format("joint '{}' of body '{}'", most->name, body.name);
  return name + constraints_on(model, model.links[body.link].tree);
}

std::string jumping(const SystemList& systems) {
  const auto& entries = systems.entries();
  if (entries.size() == 1) return fmt::format("external system '{}', which jumps", entries[0].system->name());
  return "external systems, which jump";
}

}  // namespace

void HoldTally::count(const StepRecord& record, int nv) {
  worst_.resize(static_cast<size_t>(nv));
  if (total_ >= kRemembered) {
    total_ *= 0.5;
    for (double& hold : holds_) hold *= 0.5;
    for (double& worst : worst_) worst *= 0.5;
  }
  ++total_;
  // Steps that grow again after they were held are still short by it.
  if (record.hold != StepHold::kNone) {
    last_ = record.hold;
    since_last_ = 0;
  } else if (++since_last_ > kGrowing) {
    last_ = StepHold::kNone;
  }
  ++holds_[static_cast<size_t>(last_)];
  if (record.hold == StepHold::kAccuracy && record.worst >= 0) ++worst_[static_cast<size_t>(record.worst)];
}

std::string HoldTally::sentence(const Model& model, const SystemList& systems, double h) const {
  const auto most = std::max_element(holds_.begin(), holds_.end());
  const auto hold = static_cast<StepHold>(most - holds_.begin());
  if (total_ == 0 || hold == StepHold::kNone || 2 * holds_[0] > total_) return "";
  const auto by = [&]() -> std::string {
    // Half of the jumps are seen by a solve, and so by the accuracy.
    if (holds_[static_cast<size_t>(StepHold::kSurprise)] > kSomeJumps * total_) return jumping(systems);
    if (hold == StepHold::kAccuracy) return who(model, worst_) + ": in longer ones it would miss the accuracy";
    if (hold == StepHold::kTrust) return "contact: in longer ones bodies would turn or fly past surfaces unseen";
    if (hold == StepHold::kEnergy) return "energy, which in longer ones would come from nothing";
    return "the solver: longer ones have no solution";
  };
  return fmt::format("held to steps of {} by {}", step_size_words(h), on_one_line(by()));
}

std::string step_size_words(double h) {
  if (h >= 1e-3) return fmt::format("{:.3g} ms", 1e3 * h);
  return h >= 1e-6 ? fmt::format("{:.3g} us", 1e6 * h) : fmt::format("{:.3g} ns", 1e9 * h);
}

}  // namespace stickslip
