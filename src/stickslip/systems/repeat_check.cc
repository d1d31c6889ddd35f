#include "stickslip/systems/repeat_check.h"

#include <fmt/format.h>

#include <cmath>

namespace stickslip {

RepeatCheck::RepeatCheck(std::shared_ptr<const SystemList> systems) : systems_(std::move(systems)) {
  const std::vector<SystemEntry>& entries = systems_->entries();
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].resolution == kInfinity) continue;  // ready-made, or said to be smooth
    Asked asked;
    asked.entry = i;
    asked.scratch = entries[i].system->make_scratch(systems_->model());
    asked_.push_back(std::move(asked));
  }
}

void RepeatCheck::ask(const Asked& asked, const State& state, VectorXd& answer) {
  const SystemEntry& entry = systems_->entries()[asked.entry];
  const SystemInput input = input_of(entry, systems_->model(), state);
  g_.setZero(systems_->model().nv);
  h_.setZero(entry.nz);
  entry.system->output(input, asked.scratch.get(), g_);
  if (entry.nz > 0) entry.system->derivative(input, asked.scratch.get(), h_);
  answer.resize(g_.size() + h_.size());
  answer << g_, h_;
}

void RepeatCheck::look(const State& state) {
  for (Asked& asked : asked_) {
    if (asked.differs) continue;
    ask(asked, state, asked.first);
    ask(asked, state, asked.second);
    double most = 0;
    for (Eigen::Index i = 0; i < asked.first.size(); ++i) {
      const double a = asked.first[i], b = asked.second[i];
      if (!(std::abs(b - a) > most)) continue;
      most = std::abs(b - a);
      asked.differs = true;
      asked.time = state.time;
      asked.before = a;
      asked.after = b;
    }
  }
}

void RepeatCheck::forget() {
  for (Asked& asked : asked_) asked.differs = false;
}

void RepeatCheck::add_warnings(std::vector<Warning>& warnings) const {
  for (const Asked& asked : asked_) {
    if (!asked.differs) continue;
    warnings.push_back(
        {"system-remembers",
         {},
         fmt::format(
             "system '{}' gave two answers about one state: at t = {:.6g} s {:.6g}, and asked again {:.6g}; what "
             "it remembers must be a state of its own (nz, derivative), or it must tick (Sampled): steps ask "
             "back and forth in time, and shorten for what they take for jumps",
             systems_->entries()[asked.entry].system->name(), asked.time, asked.before, asked.after)});
  }
}

}  // namespace stickslip
