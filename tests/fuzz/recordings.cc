#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "bytes.h"
#include "stickslip/log/recording.h"
#include "stickslip/log/recording_error.h"
#include "stickslip/log/recording_file.h"
#include "stickslip/log/records.h"
#include "stickslip/log/report_json.h"
#include "stickslip/log/scene_json.h"
#include "stickslip/scene/reader.h"
#include "targets.h"

// The HDF5 library keeps what it allocated at its start, and loses a little of what it read of damaged files.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace stickslip::fuzzing {
namespace {

constexpr const char* kScene = R"(
gravity: [0, 0, -9.81]
bodies:
  - {name: ball, density: 1000, pose: {position: [0, 0, 0.05]}, geometry: [{sphere: {radius: 0.05}}]}
  - {name: rod, mass: 1, inertia: {ixx: 0.1, iyy: 0.1, izz: 0.1}}
  - {name: floor, fixed: true, geometry: [{half_space: {}}]}
joints: [{name: hinge, type: revolute, child: rod, axis: [0, 1, 0], limits: {lower: -1, upper: 1}}]
actuators: [{name: motor, joint: hinge, type: motor}]
)";

// What a whole recording consists of, as bytes to be damaged.
struct Whole {
  std::string file;     // HDF5
  std::string records;  // of the journal, without the checksums that would hide what comes after
  std::string scene, options, report;
};

std::string scratch_path(const char* suffix) {
  const char* folder = std::getenv("TMPDIR");
  return std::string(folder ? folder : "/tmp") + "/stickslip_fuzz_" + std::to_string(::getpid()) + suffix;
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

Whole make_whole() {
  const SimulateOptions options{.simulator = {.method = "anchored", .time_step = 2e-3}, .until = 0.01};
  const Trajectory run = simulate(compile(read_scene_string(kScene, SceneFormat::kYaml)), options);
  Whole out;
  RecordWriter writer(out.records);
  hand_on(run, writer);
  out.scene = scene_to_json(*run.model->scene);
  out.options = options_to_json(run.options);
  out.report = report_to_text(run.report);
  const std::string path = scratch_path(".h5");
  std::remove(path.c_str());  // of an earlier process of that number, damaged: save() writes over recordings alone
  save(run, path);
  out.file = bytes_of_file(path);
  return out;
}

// A few edits of a whole: that is how files break, and a fuzzer would not find its way through HDF5 from nothing.
std::string damaged(std::string whole, Bytes& bytes) {
  for (int edits = 0; edits < 16 && !bytes.empty() && !whole.empty(); ++edits) {
    const int kind = bytes.below(5);
    const std::size_t at = bytes.take<std::uint32_t>() % whole.size();
    const std::size_t count = std::min<std::size_t>(bytes.take<std::uint16_t>(), whole.size() - at);
    if (kind == 0) whole[at] = bytes.take<char>();
    if (kind == 1) whole.erase(at, count);
    if (kind == 2) whole.insert(at, whole.substr(at, count));
    if (kind == 3) whole.insert(whole.begin() + static_cast<std::ptrdiff_t>(at), bytes.take<char>());
    if (kind == 4) {
      const auto number = bytes.take<double>();
      std::memcpy(whole.data() + at, &number, std::min(sizeof(number), whole.size() - at));
    }
  }
  return whole;
}

void check_finite(const Trajectory& run) {
  const auto finite = [](const std::vector<double>& x) {
    return std::all_of(x.begin(), x.end(), [](double number) { return std::isfinite(number); });
  };
  require(finite(run.t) && finite(run.q) && finite(run.v), "what is read of a recording is finite");
}

void read_damaged_file(const std::string& bytes) {
  const std::string path = scratch_path(".h5");
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  check_finite(read_recording_file(path));
}

void read_damaged_records(const std::string& bytes) {
  const std::string path = scratch_path("_records.h5");
  {
    RecordingFileWriter file(path);
    read_records(bytes, file);
    file.finish();
  }
  check_finite(read_recording_file(path));
}

}  // namespace

void read_recording(const std::uint8_t* data, std::size_t size) {
  static const Whole kWhole = make_whole();
  Bytes bytes(data, size);
  try {
    switch (bytes.below(5)) {
      case 0:
        return read_damaged_file(damaged(kWhole.file, bytes));
      case 1:
        return read_damaged_records(damaged(kWhole.records, bytes));
      case 2:
        compile(scene_from_json(damaged(kWhole.scene, bytes)));
        return;
      case 3:
        options_from_json(damaged(kWhole.options, bytes));
        return;
      default:
        report_from_json(damaged(kWhole.report, bytes));
    }
  } catch (const RecordingError&) {
  } catch (const ModelError&) {
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace stickslip::fuzzing
