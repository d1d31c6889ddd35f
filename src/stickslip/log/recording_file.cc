#include "stickslip/log/recording_file.h"

#include <fmt/format.h>

#include "stickslip/base/error.h"
#include "stickslip/log/joint_table.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/scene_json.h"
#include "stickslip/state/state_numbers.h"

namespace stickslip {

struct RecordingFileWriter::Columns {
  explicit Columns(const State& start, size_t constraint_width)
      : q("q", size(start.q), true),
        v("v", size(start.v), true),
        ctrl("ctrl", size(start.ctrl), true),
        z("z", size(start.z), true),
        mocap("mocap", size(start.mocap), true),
        constraint_forces("constraint_forces", constraint_width, true) {}

  static size_t size(const VectorXd& x) { return static_cast<size_t>(x.size()); }

  // Calls visit with every column.
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (auto* column : {&t, &q, &v, &ctrl, &z, &mocap, &constraint_forces, &kinetic, &potential, &elastic, &friction,
                         &step_time, &step_h, &step_error, &step_target, &write_numbers})
      visit(*column);
    for (auto* column : {&point, &normal, &force, &slip, &depth, &largest_force, &largest_pair_force}) visit(*column);
    for (auto* column : {&contact_start, &write_step, &write_start}) visit(*column);
    for (auto* column : {&body_a, &body_b}) visit(*column);
    visit(mode);
    visit(step_hash);
  }

  using Numbers = Hdf5Column<double>;
  using Singles = Hdf5Column<float>;
  using Indices = Hdf5Column<std::int64_t>;
  Numbers t{"t", 1, false}, q, v, ctrl, z, mocap, constraint_forces;
  Numbers kinetic{"energy/kinetic", 1, false}, potential{"energy/potential", 1, false};
  Numbers elastic{"energy/elastic", 1, false}, friction{"energy/friction", 1, false};
  Indices contact_start{"contacts/start", 1, false};
  Hdf5Column<std::int32_t> body_a{"contacts/body_a", 1, false}, body_b{"contacts/body_b", 1, false};
  Singles point{"contacts/point", 3, true}, normal{"contacts/normal", 3, true}, force{"contacts/force", 3, true};
  Singles slip{"contacts/slip", 3, true}, depth{"contacts/depth", 1, false};
  Singles largest_force{"contacts/largest_force", 1, false};
  Singles largest_pair_force{"contacts/largest_pair_force", 1, false};
  Hdf5Column<std::uint8_t> mode{"contacts/mode", 1, false};
  Numbers step_time{"steps/time", 1, false}, step_h{"steps/h", 1, false}, step_error{"steps/error", 1, false};
  Numbers step_target{"steps/target", 1, false};
  Hdf5Column<std::uint64_t> step_hash{"steps/hash", 1, false};
  Indices write_step{"writes/step", 1, false}, write_start{"writes/start", 1, false};
  Numbers write_numbers{"writes/numbers", 1, false};
};

RecordingFileWriter::RecordingFileWriter(std::string path) : file_(std::move(path)) {
  file_.attribute("format", std::string("stickslip-recording"));
  file_.attribute("version", std::int64_t{kRecordingVersion});
  for (const char* group : {"energy", "contacts", "steps", "writes", "model"}) file_.group(group);
}

RecordingFileWriter::~RecordingFileWriter() = default;

void RecordingFileWriter::begin(const RecordingHeader& header) {
  if (columns_) throw RecordingError(file_.path(), "its journal begins twice");
  model_ = model_of(file_.path(), header.scene);
  if (!fits(*model_, header.start)) throw RecordingError(file_.path(), "its start is not a state of its model");
  energy_ = std::make_unique<EnergyMeter>(model_, header.acts_on_contact);
  state_ = header.start;
  columns_ =
      std::make_unique<Columns>(header.start, has_constraint_forces(*model_) ? static_cast<size_t>(model_->nv) : 0);
  columns_->contact_start.add(0, file_);
  columns_->write_start.add(0, file_);
  file_.attribute("stickslip_version", header.stickslip_version);
  file_.attribute("sample_rate", header.sample_rate);
  file_.attribute("systems", std::int64_t{header.systems});
  file_.attribute("acts_on_contact", std::int64_t{header.acts_on_contact});
  file_.text("scene", header.scene);
  file_.text("options", header.options);
  file_.array("start", to_numbers(header.start));
  write_model(*model_);
}

RecordingFileWriter::Columns& RecordingFileWriter::columns() {
  if (!columns_) throw RecordingError(file_.path(), "its journal has no beginning");
  return *columns_;
}

void RecordingFileWriter::write_model(const Model& model) {
  file_.texts("model/body_names", model.body_names());
  file_.texts("model/joint_names", model.joint_names());
  file_.texts("model/actuator_names", model.actuator_names());
  const JointTable joints(model);
  file_.texts("model/joint_type", joints.type);
  file_.array("model/q_start", joints.q_start);
  file_.array("model/nq", joints.nq);
  file_.array("model/v_start", joints.v_start);
  file_.array("model/nv", joints.nv);
}

void RecordingFileWriter::add(const Sample& sample) {
  Columns& to = columns();
  const auto row = [&](const VectorXd& x, Hdf5Column<double>& column) {
    if (static_cast<size_t>(x.size()) != column.width())
      throw RecordingError(file_.path(), "external systems were added after the recording began; add them before");
    column.add_row(x.data(), file_);
  };
  to.t.add(sample.t, file_);
  row(sample.q, to.q);
  row(sample.v, to.v);
  row(sample.ctrl, to.ctrl);
  row(sample.z, to.z);
  row(sample.mocap, to.mocap);
  row(sample.constraint_forces, to.constraint_forces);
  for (const ContactSample& contact : sample.contacts) {
    to.body_a.add(contact.body_a, file_);
    to.body_b.add(contact.body_b, file_);
    to.point.add_row(contact.point.data(), file_);
    to.normal.add_row(contact.normal.data(), file_);
    to.depth.add(contact.depth, file_);
    to.force.add_row(contact.force.data(), file_);
    to.slip.add_row(contact.slip.data(), file_);
    to.largest_force.add(contact.largest_force, file_);
    to.largest_pair_force.add(contact.largest_pair_force, file_);
    to.mode.add(static_cast<std::uint8_t>(contact.mode), file_);
  }
  to.contact_start.add(to.mode.rows(), file_);
  state_.time = sample.t;
  state_.q = sample.q;
  state_.v = sample.v;
  state_.mocap = sample.mocap;
  const EnergySample energy = energy_->measure(state_, sample.friction_energy);
  to.kinetic.add(energy.kinetic, file_);
  to.potential.add(energy.potential, file_);
  to.elastic.add(energy.elastic, file_);
  to.friction.add(sample.friction_energy, file_);
}

void RecordingFileWriter::add(const StepEntry& step) {
  columns().step_time.add(step.time, file_);
  columns().step_h.add(step.h, file_);
  columns().step_error.add(step.error, file_);
  columns().step_target.add(step.target, file_);
  columns().step_hash.add(step.hash, file_);
}

void RecordingFileWriter::add_write(std::int64_t step, const State& state) {
  columns().write_step.add(step, file_);
  for (double number : to_numbers(state)) columns().write_numbers.add(number, file_);
  columns().write_start.add(columns().write_numbers.rows(), file_);
}

void RecordingFileWriter::end(const State& state, const std::string& report) {
  end_ = to_numbers(state);
  report_ = report;
  complete_ = true;
}

void RecordingFileWriter::finish() {
  columns().for_each([&](auto& column) { column.finish(file_); });
  file_.array("end", end_);
  file_.text("report", report_);
  file_.attribute("complete", std::int64_t{complete_});
  file_.close();
}

std::shared_ptr<const Model> model_of(const std::string& file, const std::string& scene) {
  try {
    return std::make_shared<const Model>(compile(scene_from_json(scene)));
  } catch (const std::invalid_argument& fault) {
    throw RecordingError(file, fmt::format("the scene in it is damaged: {}", fault.what()));
  } catch (const ModelError& error) {
    throw RecordingError(file, fmt::format("the scene in it cannot be used: {}", error.what()));
  }
}

}  // namespace stickslip
