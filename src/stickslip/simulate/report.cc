#include "stickslip/simulate/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "stickslip/base/printable.h"

namespace stickslip {

namespace {
constexpr int kSmallestExponent = -54;
}

void StepSizes::add(double h) {
  const double octave = std::log2(h) - kSmallestExponent;
  const int bin = std::clamp(static_cast<int>(octave * kBinsPerOctave), 0, kBinsPerOctave * kOctaves - 1);
  ++bins_[bin];
  min_ = count_ ? std::min(min_, h) : h;
  max_ = std::max(max_, h);
  ++count_;
}

void StepHistory::add(const StepHistoryEntry& entry) {
  largest_error_ = std::max(largest_error_, entry.error);
  if (pending_ == 0) {
    entries_.push_back(entry);
  } else {
    entries_.back().error = std::max(entries_.back().error, entry.error);
  }
  pending_ = (pending_ + 1) % stride_;
  if (entries_.size() < kMost || pending_ != 0) return;
  for (size_t i = 0; i < kMost / 2; ++i) {
    entries_[i] = entries_[2 * i];
    entries_[i].error = std::max(entries_[i].error, entries_[2 * i + 1].error);
  }
  entries_.resize(kMost / 2);
  stride_ *= 2;
}

double StepSizes::median() const {
  std::uint64_t seen = 0;
  for (size_t bin = 0; bin < bins_.size(); ++bin) {
    seen += bins_[bin];
    if (2 * seen < count_ || seen == 0) continue;
    const double center = std::exp2((static_cast<double>(bin) + 0.5) / kBinsPerOctave + kSmallestExponent);
    return std::clamp(center, min_, max_);
  }
  return 0;
}

std::string Report::brief() const {
  const std::string chosen = to_string(choice), note = unused_step_note(choice);
  return fmt::format("{}: t = {:.6g} s, {} steps of {}{}, {:.3g} s of wall time{}", to_string(status.code), time, steps,
                     method, chosen.empty() ? "" : fmt::format(" ({})", chosen), seconds.total,
                     note.empty() ? "" : "; " + note);
}

std::string Report::full() const {
  std::string out;
  const auto line = [&](const char* name, const std::string& value) { out += fmt::format("{:<18} {}\n", name, value); };
  line("status",
       fmt::format("{}{}", to_string(status.code), status.message.empty() ? "" : ": " + on_one_line(status.message)));
  const std::string chosen = to_string(choice);
  line("method", chosen.empty() ? method : fmt::format("{}, {}", method, chosen));
  if (choice.unused_file_step) line("", unused_step_note(choice));
  line("simulated time", fmt::format("{:.6g} s", time));
  line("steps", fmt::format("{} accepted, {} rejected", steps, rejected));
  line("step size", fmt::format("{:.3g} / {:.3g} / {:.3g} s (min / median / max)", h_min, h_median, h_max));
  if (!held_by.empty()) line("", held_by);
  if (geometry_queries > 0) {
    line("Newton iterations",
         fmt::format("{} ({} factorisations, {} line-search trials, {} conjugate gradients, {} local)",
                     newton_iterations, factorizations, line_search_iterations, gradient_iterations, local_iterations));
    line("residual", fmt::format("{:.2g} of the impulses of the last step", residual));
  }
  if (history.largest_error() > 0)
    line("estimated error", fmt::format("{:.2g} of the worst step", history.largest_error()));
  if (max_penetration > 0) line("deepest overlap", fmt::format("{:.3g} m", max_penetration));
  line("energy", fmt::format("{:.6g} J -> {:.6g} J", energy.start, energy.end));
  line("  actuators", fmt::format("{:+.6g} J", energy.actuators));
  line("  damping", fmt::format("{:+.6g} J", energy.damping));
  line("  contact", fmt::format("{:+.6g} J", energy.contact));
  if (energy.elastic_normal > 0)
    line("  stored in contact", fmt::format("{:.3g} J compressed, {:.3g} J held by friction", energy.elastic_normal,
                                            energy.elastic_tangential));
  if (energy.numerical_loss) {
    line("  numerical loss", fmt::format("{:.3g} J", *energy.numerical_loss));
  } else {
    line("  numerical loss", "unknown: prescribed motion does work that is not measured");
  }
  if (energy.gained > 0) line("  from nothing", fmt::format("{:.3g} J at most", energy.gained));
  const double rate = seconds.total > 0 ? time / seconds.total : 0;
  line("wall time", fmt::format("{:.3g} s ({:.3g} x real time)", seconds.total, rate));
  if (geometry_queries > 0) {
    const auto share = [&](double stage) { return seconds.total > 0 ? 100 * stage / seconds.total : 0; };
    line("",
         fmt::format("{:.0f} % geometry, {:.0f} % dynamics, {:.0f} % setup, {:.0f} % assembly, {:.0f} % factorisation, "
                     "{:.0f} % line search, {:.0f} % other",
                     share(seconds.geometry), share(seconds.dynamics), share(seconds.setup), share(seconds.assembly),
                     share(seconds.factorization), share(seconds.line_search), share(seconds.other)));
  }
  for (const Warning& warning : warnings) out += warning.str() + "\n";
  return out;
}

}  // namespace stickslip
