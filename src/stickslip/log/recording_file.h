#pragma once

#include <memory>
#include <string>

#include "stickslip/log/hdf5_writer.h"
#include "stickslip/log/records.h"

namespace stickslip {

constexpr int kRecordingVersion = 1;

// The HDF5 file of a recording; its names are those of docs/formats/recording.md.
class RecordingFileWriter final : public RecordSink {
 public:
  explicit RecordingFileWriter(std::string path);  // throws RecordingError, as all of these
  ~RecordingFileWriter() override;
  void begin(const RecordingHeader& header) override;
  void add(const Sample& sample) override;
  void add(const StepEntry& step) override;
  void add_write(std::int64_t step, const State& state) override;
  void end(const State& state, const std::string& report) override;

  // Makes the file whole. Without an end() before, it says that the run was killed.
  void finish();

 private:
  struct Columns;
  void write_model(const Model& model);
  Columns& columns();

  Hdf5Writer file_;
  std::unique_ptr<Columns> columns_;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<EnergyMeter> energy_;
  State state_;  // of the sample that is added, for its energies
  std::string report_;
  std::vector<double> end_;
  bool complete_ = false;
};

// The model that a recording was made of. Throws RecordingError that names the file.
std::shared_ptr<const Model> model_of(const std::string& file, const std::string& scene);

// Whether the sizes of a state, but for the external systems', are those of the model.
bool fits(const Model& model, const State& state);

Trajectory read_recording_file(const std::string& path);

}  // namespace stickslip
