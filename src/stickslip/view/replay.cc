#include "stickslip/view/replay.h"

#include <algorithm>

#include "stickslip/log/bytes.h"

namespace stickslip {
namespace {

enum Curve : size_t { kKinetic, kPotential, kElastic, kTotal, kStepSize, kContactForce, kContacts, kFirstPosition };

}  // namespace

Replay::Replay(std::shared_ptr<const Trajectory> run)
    : run_(std::move(run)), energies_(energies(*run_)), writer_(*run_->model), state_(run_->start) {}

size_t Replay::series_count() const {
  return kFirstPosition + static_cast<size_t>(run_->model->nq) + static_cast<size_t>(run_->model->nv);
}

// Of the step that led to the sample, or that it lies in.
double Replay::step_size(size_t sample) const {
  const std::vector<StepEntry>& steps = run_->steps;
  if (steps.empty()) return 0;
  const auto after = std::lower_bound(steps.begin() + 1, steps.end(), run_->t[sample],
                                      [](const StepEntry& step, double time) { return step.time < time; });
  return std::prev(after)->h;
}

std::span<const ContactSample> Replay::contacts(size_t sample) const {
  const auto first = static_cast<size_t>(run_->contact_start[sample]);
  const auto end = static_cast<size_t>(run_->contact_start[sample + 1]);
  return {run_->contacts.data() + first, end - first};
}

void Replay::append_frame(size_t sample, std::string& out) { append_frame(sample, contacts(sample), out); }

void Replay::append_frame(size_t before, size_t sample, std::string& out) {
  average_.clear();
  for (size_t i = before + 1; i <= sample; ++i) average_.add(contacts(i), run_->t[i] - run_->t[i - 1]);
  average_.finish(contacts_);
  append_frame(sample, contacts_, out);
}

void Replay::append_frame(size_t sample, std::span<const ContactSample> contacts, std::string& out) {
  state_.time = run_->t[sample];
  state_.q = run_->row(run_->q, sample);
  state_.v = run_->row(run_->v, sample);
  state_.ctrl = run_->row(run_->ctrl, sample);
  state_.mocap = run_->row(run_->mocap, sample);
  frame_.clear();
  writer_.append({.state = state_,
                  .step_size = step_size(sample),
                  .energy = {energies_.kinetic[sample], energies_.potential[sample], energies_.elastic[sample]},
                  .contacts = contacts},
                 frame_);
  ByteWriter(out).put(static_cast<std::uint32_t>(frame_.size()));
  out += frame_;
}

std::string Replay::times() const {
  std::string out;
  ByteWriter(out).put_all(run_->t.data(), run_->t.size());
  return out;
}

double Replay::value(size_t curve, size_t sample) const {
  switch (curve) {
    case kKinetic:
      return energies_.kinetic[sample];
    case kPotential:
      return energies_.potential[sample];
    case kElastic:
      return energies_.elastic[sample];
    case kTotal:
      return energies_.kinetic[sample] + energies_.potential[sample] + energies_.elastic[sample];
    case kStepSize:
      return step_size(sample);
    case kContactForce:
      return total_force(contacts(sample));
    case kContacts:
      return static_cast<double>(contacts(sample).size());
    default:
      break;
  }
  const auto nq = static_cast<size_t>(run_->model->nq), nv = static_cast<size_t>(run_->model->nv);
  const size_t coordinate = curve - kFirstPosition;
  return coordinate < nq ? run_->q[sample * nq + coordinate] : run_->v[sample * nv + coordinate - nq];
}

std::string Replay::series(size_t curve) const {
  std::string out;
  ByteWriter bytes(out);
  for (size_t i = 0; i < size(); ++i) bytes.put(static_cast<float>(value(curve, i)));
  return out;
}

}  // namespace stickslip
