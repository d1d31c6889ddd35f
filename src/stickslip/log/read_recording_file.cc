#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "stickslip/log/hdf5_reader.h"
#include "stickslip/log/joint_table.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/report_json.h"
#include "stickslip/log/scene_json.h"
#include "stickslip/state/state_numbers.h"

namespace stickslip {
namespace {

void check_format(const Hdf5Reader& file) {
  if (!file.has_attribute("format") || file.text_attribute("format") != "stickslip-recording")
    file.fail("is an HDF5 file, but not a recording of stickslip");
  const std::int64_t version = file.integer_attribute("version");
  if (version > kRecordingVersion)
    file.fail(
        fmt::format("was written by stickslip {} in version {} of the format; this program reads versions up to "
                    "{}: use a newer one",
                    file.has_attribute("stickslip_version") ? file.text_attribute("stickslip_version") : "", version,
                    kRecordingVersion));
}

State read_state(const Hdf5Reader& file, const char* name, std::span<const double> numbers, const Model& model,
                 size_t nz) {
  std::optional<State> state = state_from_numbers(numbers);
  if (!state || !fits(model, *state) || static_cast<size_t>(state->z.size()) != nz)
    file.fail(fmt::format("'{}' is not a state of the model", name));
  return std::move(*state);
}

void check_finite(const Hdf5Reader& file, const char* name, const std::vector<double>& numbers) {
  if (!std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); }))
    file.fail(fmt::format("'{}' has numbers that are not finite", name));
}

// Energies of what is heavier than anything may be infinite.
void check_numbers(const Hdf5Reader& file, const char* name, const std::vector<double>& numbers) {
  if (std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::isnan(x); }))
    file.fail(fmt::format("'{}' has numbers that are none", name));
}

void read_samples(const Hdf5Reader& file, Trajectory& out) {
  const Model& model = *out.model;
  const auto n = static_cast<std::int64_t>(out.t.size());
  out.q = file.array<double>("q", n, model.nq);
  out.v = file.array<double>("v", n, model.nv);
  out.ctrl = file.array<double>("ctrl", n, model.nu);
  out.z = file.array<double>("z", n, out.start.z.size());
  out.mocap = file.array<double>("mocap", n, model.mocap0.size());
  out.constraint_forces = file.array<double>("constraint_forces", n, has_constraint_forces(model) ? model.nv : 0);
  check_finite(file, "t", out.t);
  check_finite(file, "q", out.q);
  check_finite(file, "v", out.v);
  check_finite(file, "ctrl", out.ctrl);
  check_finite(file, "constraint_forces", out.constraint_forces);
}

void read_energies(const Hdf5Reader& file, Trajectory& out) {
  const auto n = static_cast<std::int64_t>(out.t.size());
  Energies energy{.kinetic = file.array<double>("energy/kinetic", n),
                  .potential = file.array<double>("energy/potential", n),
                  .elastic = file.array<double>("energy/elastic", n)};
  check_numbers(file, "energy/kinetic", energy.kinetic);
  check_numbers(file, "energy/potential", energy.potential);
  check_numbers(file, "energy/elastic", energy.elastic);
  out.friction_energy = file.array<double>("energy/friction", n);
  out.energy = std::move(energy);
}

// What is written for other readers says the same as the scene.
void check_model(const Hdf5Reader& file, const Model& model) {
  const auto same = [&](const char* name, const std::vector<std::string>& expected) {
    if (file.texts(name) != expected) file.fail(fmt::format("'{}' does not fit the scene", name));
  };
  same("model/body_names", model.body_names());
  same("model/joint_names", model.joint_names());
  same("model/actuator_names", model.actuator_names());
  const JointTable joints(model);
  same("model/joint_type", joints.type);
  const auto same_numbers = [&](const char* name, const std::vector<std::int32_t>& expected) {
    if (file.array<std::int32_t>(name) != expected) file.fail(fmt::format("'{}' does not fit the scene", name));
  };
  same_numbers("model/q_start", joints.q_start);
  same_numbers("model/nq", joints.nq);
  same_numbers("model/v_start", joints.v_start);
  same_numbers("model/nv", joints.nv);
}

void check_starts(const Hdf5Reader& file, const char* name, const std::vector<std::int64_t>& start, std::int64_t size) {
  if (start.empty() || start.front() != 0 || start.back() != size || !std::is_sorted(start.begin(), start.end()))
    file.fail(fmt::format("'{}' does not divide {} rows", name, size));
}

void read_contacts(const Hdf5Reader& file, Trajectory& out) {
  out.contact_start = file.array<std::int64_t>("contacts/start", static_cast<std::int64_t>(out.t.size()) + 1);
  const auto body_a = file.array<std::int32_t>("contacts/body_a");
  const auto m = static_cast<std::int64_t>(body_a.size());
  check_starts(file, "contacts/start", out.contact_start, m);
  const auto body_b = file.array<std::int32_t>("contacts/body_b", m);
  const auto point = file.array<float>("contacts/point", m, 3), normal = file.array<float>("contacts/normal", m, 3);
  const auto force = file.array<float>("contacts/force", m, 3), slip = file.array<float>("contacts/slip", m, 3);
  const auto depth = file.array<float>("contacts/depth", m);
  const auto mode = file.array<std::uint8_t>("contacts/mode", m);
  const auto bodies = static_cast<std::int32_t>(out.model->bodies.size());
  const auto three = [](const std::vector<float>& x, size_t i) {
    return std::array<float, 3>{x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  };
  const bool has_largest = file.has("contacts/largest_force");  // not of earlier versions
  std::vector<float> largest(has_largest ? 0 : body_a.size()), largest_pair = largest;
  if (has_largest) {
    largest = file.array<float>("contacts/largest_force", m);
    largest_pair = file.array<float>("contacts/largest_pair_force", m);
  }
  for (const std::vector<float>* numbers :
       {&point, &normal, &force, &slip, &depth, &std::as_const(largest), &std::as_const(largest_pair)}) {
    if (!std::all_of(numbers->begin(), numbers->end(), [](float x) { return std::isfinite(x); }))
      file.fail("contacts have numbers that are not finite");
  }
  out.contacts.reserve(body_a.size());
  for (size_t i = 0; i < body_a.size(); ++i) {
    for (std::int32_t body : {body_a[i], body_b[i]}) {
      if (body < 0 || body >= bodies) file.fail(fmt::format("contact {} has body {} of {}", i, body, bodies));
    }
    if (mode[i] > static_cast<int>(ContactMode::kSlip)) file.fail(fmt::format("contact {} has no mode", i));
    out.contacts.push_back({body_a[i], body_b[i], three(point, i), three(normal, i), depth[i], three(force, i),
                            three(slip, i), mode[i], largest[i], largest_pair[i]});
  }
  out.forces_are_means = has_largest;
  if (has_largest) return;
  for (size_t i = 0; i + 1 < out.contact_start.size(); ++i) {
    const auto first = static_cast<size_t>(out.contact_start[i]), end = static_cast<size_t>(out.contact_start[i + 1]);
    find_largest_forces(std::span(out.contacts).subspan(first, end - first));
  }
}

void read_steps(const Hdf5Reader& file, Trajectory& out) {
  const auto time = file.array<double>("steps/time");
  const auto k = static_cast<std::int64_t>(time.size());
  const auto h = file.array<double>("steps/h", k), error = file.array<double>("steps/error", k);
  const auto target = file.array<double>("steps/target", k);
  const auto hash = file.array<std::uint64_t>("steps/hash", k);
  check_finite(file, "steps/time", time);
  check_finite(file, "steps/h", h);
  for (size_t i = 0; i < h.size(); ++i) {
    if (!(h[i] > 0) || std::isnan(target[i]) || std::isnan(error[i])) file.fail(fmt::format("step {} is none", i));
  }
  out.steps.reserve(time.size());
  for (size_t i = 0; i < time.size(); ++i) out.steps.push_back({time[i], h[i], error[i], target[i], hash[i]});
}

void read_writes(const Hdf5Reader& file, Trajectory& out) {
  const auto step = file.array<std::int64_t>("writes/step");
  const auto start = file.array<std::int64_t>("writes/start", static_cast<std::int64_t>(step.size()) + 1);
  const auto numbers = file.array<double>("writes/numbers");
  check_starts(file, "writes/start", start, static_cast<std::int64_t>(numbers.size()));
  const auto nz = static_cast<size_t>(out.start.z.size());
  for (size_t i = 0; i < step.size(); ++i) {
    if (step[i] < 0 || step[i] >= static_cast<std::int64_t>(out.steps.size()))
      file.fail(fmt::format("'writes/step' names step {} of {}", step[i], out.steps.size()));
    const auto first = static_cast<size_t>(start[i]), count = static_cast<size_t>(start[i + 1]) - first;
    out.writes.push_back(
        {step[i], read_state(file, "writes/numbers", std::span(numbers).subspan(first, count), *out.model, nz)});
  }
}

// What a killed run left of its last state.
State last_state(const Trajectory& run) {
  State state = run.start;
  if (run.t.empty()) return state;
  const size_t last = run.t.size() - 1;
  state.time = run.t.back();
  state.q = run.row(run.q, last);
  state.v = run.row(run.v, last);
  state.ctrl = run.row(run.ctrl, last);
  state.z = run.row(run.z, last);
  state.mocap = run.row(run.mocap, last);
  state.step_size = 0;
  state.grips.clear();
  return state;
}

// Of a killed run: what its steps say.
Report report_of(const Trajectory& run) {
  Report report;
  report.status = {StatusCode::kInterrupted, run.end.time, "", "the run was killed; this is what it recorded"};
  report.method = chosen_method(run.options, *run.model);
  report.choice = step_choice(run.options, *run.model);
  report.time = run.end.time;
  report.steps = static_cast<std::int64_t>(run.steps.size());
  StepSizes sizes;
  for (const StepEntry& step : run.steps) sizes.add(step.h);
  report.h_min = sizes.min();
  report.h_median = sizes.median();
  report.h_max = sizes.max();
  return report;
}

// Time runs forward, but for users who turn the clock.
void check_times(const Hdf5Reader& file, const Trajectory& run) {
  std::vector<bool> is_written(run.steps.size(), false);
  double earliest = kInfinity;  // to which the clock was turned
  for (const Trajectory::Write& write : run.writes) {
    is_written[static_cast<size_t>(write.step)] = true;
    earliest = std::min(earliest, write.state.time);
  }
  for (size_t k = 1; k < run.steps.size(); ++k) {
    if (run.steps[k].time < run.steps[k - 1].time && !is_written[k])
      file.fail(fmt::format("'steps/time' goes back at step {}", k));
  }
  for (size_t i = 1; i < run.t.size(); ++i) {
    if (run.t[i] < run.t[i - 1] && run.t[i] < earliest) file.fail(fmt::format("'t' goes back at sample {}", i));
  }
}

void read_end(const Hdf5Reader& file, Trajectory& out) {
  out.complete = file.integer_attribute("complete") != 0;
  out.end = last_state(out);
  if (out.complete)
    out.end = read_state(file, "end", file.array<double>("end"), *out.model, static_cast<size_t>(out.start.z.size()));
  out.report = out.complete ? report_from_json(file.text("report")) : report_of(out);
  for (const StepEntry& step : out.steps) out.report.history.add({step.time, step.h, step.error});
}

Trajectory read_all(const Hdf5Reader& file, const std::string& path) {
  check_format(file);
  Trajectory out;
  out.model = model_of(path, file.text("scene"));
  out.options = options_from_json(file.text("options"));
  const double rate = file.number_attribute("sample_rate");
  if (rate > 0) out.sample_rate = rate;
  out.systems = static_cast<int>(file.integer_attribute("systems"));
  out.acts_on_contact = file.integer_attribute("acts_on_contact") != 0;
  const auto start = file.array<double>("start");
  const std::optional<State> first = state_from_numbers(start);
  out.start = read_state(file, "start", start, *out.model, first ? static_cast<size_t>(first->z.size()) : 0);
  out.t = file.array<double>("t");
  check_model(file, *out.model);
  read_samples(file, out);
  read_energies(file, out);
  read_contacts(file, out);
  read_steps(file, out);
  read_writes(file, out);
  check_times(file, out);
  read_end(file, out);
  return out;
}

}  // namespace

bool fits(const Model& model, const State& state) {
  return state.q.size() == model.nq && state.v.size() == model.nv && state.ctrl.size() == model.nu &&
         state.mocap.size() == model.mocap0.size();
}

Trajectory read_recording_file(const std::string& path) {
  try {
    return read_all(Hdf5Reader(path), path);
  } catch (const std::invalid_argument& fault) {
    throw RecordingError(path, fmt::format("is damaged: {}", fault.what()));
  }
}

}  // namespace stickslip
