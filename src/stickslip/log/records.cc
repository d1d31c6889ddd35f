#include "stickslip/log/records.h"

#include <cstddef>
#include <cstring>

#include "stickslip/log/bytes.h"
#include "stickslip/log/report_json.h"
#include "stickslip/log/scene_json.h"
#include "stickslip/state/state_numbers.h"

namespace stickslip {
namespace {

// Journals that earlier versions left have contacts without their largest forces.
enum class Piece : char { kHeader = 'H', kEarlierSample = 'S', kSample = 'C', kStep = 'T', kWrite = 'W', kEnd = 'E' };

void put(ByteWriter& out, const VectorXd& x) {
  out.put(static_cast<std::uint64_t>(x.size()));
  out.put_all(x.data(), static_cast<size_t>(x.size()));
}

void put(ByteWriter& out, const std::string& x) {
  out.put(static_cast<std::uint64_t>(x.size()));
  out.put_all(x.data(), x.size());
}

void put(ByteWriter& out, const State& x) {
  const std::vector<double> numbers = to_numbers(x);
  out.put(static_cast<std::uint64_t>(numbers.size()));
  out.put_all(numbers.data(), numbers.size());
}

void get(ByteReader& in, VectorXd& x) {
  const auto size = in.get<std::uint64_t>();
  if (!in.has(size, sizeof(double))) return;
  x.resize(static_cast<Eigen::Index>(size));
  in.get_all(x.data(), size);
}

std::string get_text(ByteReader& in) {
  const auto size = in.get<std::uint64_t>();
  return std::string(in.take(size));
}

bool get(ByteReader& in, State& x) {
  const auto size = in.get<std::uint64_t>();
  if (!in.has(size, sizeof(double))) return false;
  std::vector<double> numbers(size);
  in.get_all(numbers.data(), size);
  std::optional<State> state = state_from_numbers(numbers);
  if (state) x = std::move(*state);
  return state.has_value();
}

bool read_header(ByteReader& in, RecordSink& sink) {
  RecordingHeader header;
  header.stickslip_version = get_text(in);
  header.scene = get_text(in);
  header.options = get_text(in);
  header.sample_rate = in.get<double>();
  header.systems = in.get<std::int32_t>();
  header.acts_on_contact = in.get<char>() != 0;
  if (!get(in, header.start)) return false;
  sink.begin(header);
  return true;
}

constexpr size_t kEarlierContact = offsetof(ContactSample, largest_force);  // [bytes]

bool read_contacts(ByteReader& in, bool earlier, std::vector<ContactSample>& contacts) {
  const auto count = in.get<std::uint64_t>();
  if (!in.has(count, earlier ? kEarlierContact : sizeof(ContactSample))) return false;
  contacts.resize(count);
  if (!earlier) {
    in.get_all(contacts.data(), count);
    return true;
  }
  for (ContactSample& contact : contacts)
    std::memcpy(static_cast<void*>(&contact), in.take(kEarlierContact).data(), kEarlierContact);
  find_largest_forces(contacts);
  return true;
}

bool read_sample(ByteReader& in, bool earlier, Sample& sample, RecordSink& sink) {
  sample.t = in.get<double>();
  for (VectorXd* x : {&sample.q, &sample.v, &sample.ctrl, &sample.z, &sample.mocap, &sample.constraint_forces})
    get(in, *x);
  if (!read_contacts(in, earlier, sample.contacts)) return false;
  sample.friction_energy = in.get<double>();
  if (in.failed()) return false;
  sink.add(sample);
  return true;
}

bool read_step(ByteReader& in, RecordSink& sink) {
  const auto step = in.get<StepEntry>();
  if (!in.failed()) sink.add(step);
  return !in.failed();
}

bool read_write(ByteReader& in, RecordSink& sink) {
  const auto step = in.get<std::int64_t>();
  State state;
  if (!get(in, state)) return false;
  sink.add_write(step, state);
  return true;
}

bool read_end(ByteReader& in, RecordSink& sink) {
  State state;
  if (!get(in, state)) return false;
  const std::string report = get_text(in);
  if (!in.failed()) sink.end(state, report);
  return !in.failed();
}

}  // namespace

RecordingHeader header_of(const Trajectory& run) {
  return {.stickslip_version = STICKSLIP_VERSION,
          .scene = scene_to_json(*run.model->scene),
          .options = options_to_json(run.options),
          .sample_rate = run.sample_rate.value_or(0),
          .systems = run.systems,
          .acts_on_contact = run.acts_on_contact,
          .start = run.start};
}

void hand_on(const Trajectory& run, RecordSink& sink) {
  sink.begin(header_of(run));
  Sample sample;
  for (size_t i = 0; i < run.t.size(); ++i) {
    sample.t = run.t[i];
    sample.q = run.row(run.q, i);
    sample.v = run.row(run.v, i);
    sample.ctrl = run.row(run.ctrl, i);
    sample.z = run.row(run.z, i);
    sample.mocap = run.row(run.mocap, i);
    sample.constraint_forces = run.row(run.constraint_forces, i);
    sample.contacts.assign(run.contacts.begin() + run.contact_start[i],
                           run.contacts.begin() + run.contact_start[i + 1]);
    sample.friction_energy = run.friction_energy[i];
    sink.add(sample);
  }
  for (const StepEntry& step : run.steps) sink.add(step);
  for (const Trajectory::Write& write : run.writes) sink.add_write(write.step, write.state);
  if (run.complete) sink.end(run.end, report_to_text(run.report));
}

void RecordWriter::begin(const RecordingHeader& header) {
  ByteWriter out(out_);
  out.put(Piece::kHeader);
  put(out, header.stickslip_version);
  put(out, header.scene);
  put(out, header.options);
  out.put(header.sample_rate);
  out.put(static_cast<std::int32_t>(header.systems));
  out.put(static_cast<char>(header.acts_on_contact));
  put(out, header.start);
}

void RecordWriter::add(const Sample& sample) {
  ByteWriter out(out_);
  out.put(Piece::kSample);
  out.put(sample.t);
  for (const VectorXd* x : {&sample.q, &sample.v, &sample.ctrl, &sample.z, &sample.mocap, &sample.constraint_forces})
    put(out, *x);
  out.put(static_cast<std::uint64_t>(sample.contacts.size()));
  out.put_all(sample.contacts.data(), sample.contacts.size());
  out.put(sample.friction_energy);
}

void RecordWriter::add(const StepEntry& step) {
  ByteWriter out(out_);
  out.put(Piece::kStep);
  out.put(step);
}

void RecordWriter::add_write(std::int64_t step, const State& state) {
  ByteWriter out(out_);
  out.put(Piece::kWrite);
  out.put(step);
  put(out, state);
}

void RecordWriter::end(const State& state, const std::string& report) {
  ByteWriter out(out_);
  out.put(Piece::kEnd);
  put(out, state);
  put(out, report);
}

bool read_records(std::string_view bytes, RecordSink& sink) {
  ByteReader in(bytes);
  Sample sample;
  while (!in.empty()) {
    bool good = false;
    const auto piece = in.get<Piece>();
    switch (piece) {
      case Piece::kHeader:
        good = read_header(in, sink);
        break;
      case Piece::kEarlierSample:
      case Piece::kSample:
        good = read_sample(in, piece == Piece::kEarlierSample, sample, sink);
        break;
      case Piece::kStep:
        good = read_step(in, sink);
        break;
      case Piece::kWrite:
        good = read_write(in, sink);
        break;
      case Piece::kEnd:
        good = read_end(in, sink);
        break;
    }
    if (!good || in.failed()) return false;
  }
  return true;
}

}  // namespace stickslip
