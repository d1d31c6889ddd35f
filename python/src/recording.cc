// Recordings: of a running simulator, and read back.
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "bindings.h"
#include "gil.h"
#include "stickslip/base/printable.h"
#include "stickslip/log/run_format.h"

namespace stickslip::python {
namespace {

void close(Recorder& recorder) {
  const WithoutGil release;
  recorder.close();
}

// The interpreter may end before the simulator does: then it ends the recording.
void close_at_exit(nb::handle recorder) { nb::module_::import_("stickslip._recorders").attr("remember")(recorder); }

const char* to_string(RunFormat format) {
  switch (format) {
    case RunFormat::kRecording:
      return "recording";
    case RunFormat::kTable:
      return "table";
    case RunFormat::kPage:
      return "page";
    case RunFormat::kLog:
      break;
  }
  return "log";
}

void bind_formats(nb::module_& m) {
  using namespace nb::literals;
  m.def(
      "_run_format", [](const std::filesystem::path& path) { return to_string(run_format(path.string())); }, "path"_a);
  m.def(
      "_check_replaceable",
      [](const std::filesystem::path& path, bool force) {
        check_replaceable(path.string(), force ? Replace::kAnyFile : Replace::kRuns);
      },
      "path"_a, "force"_a);
  m.def("_printable", &printable, "text"_a);
}

}  // namespace

// What the library cannot make itself Python makes; what that needs is looked for before the run.
RecordingExport export_for(const std::filesystem::path& path) {
  const nb::module_ saving = nb::module_::import_("stickslip.saving");
  saving.attr("check_export")(path);
  if (run_format(path.string()) == RunFormat::kRecording) return {};
  return [](const std::string& recording, const std::string& to) {
    const WithGil visit;
    nb::module_::import_("stickslip.saving").attr("export")(recording, to);
  };
}

void bind_recording(nb::module_& m) {
  using namespace nb::literals;
  bind_formats(m);
  nb::class_<Recorder>(m, "Recorder", nb::is_weak_referenceable(),
                       "A recording that is being made: until close(), the end of a with block, or of its simulator.")
      .def("close", &close, "Ends the recording and makes its file.")
      .def_prop_ro("closed", &Recorder::closed)
      .def_prop_ro("path", &Recorder::path)
      .def_prop_ro("samples", &Recorder::samples, "so far")
      .def("__enter__", [](const std::shared_ptr<Recorder>& recorder) { return recorder; })
      .def(
          "__exit__", [](Recorder& recorder, nb::handle, nb::handle, nb::handle) { close(recorder); }, "type"_a.none(),
          "value"_a.none(), "traceback"_a.none())
      .def("__repr__", [](const Recorder& r) {
        return fmt::format("<Recorder of '{}', {} samples{}>", r.path(), r.samples(), r.closed() ? ", closed" : "");
      });
  m.def(
      "load_recording",
      [](const std::filesystem::path& path) {
        const WithoutGil release;
        return load_recording(path.string());
      },
      "path"_a,
      "Reads a recording. Where its run was killed it is recovered; while its run goes on it is what there is so far.");
}

void bind_recording_of(nb::class_<Simulator>& simulator) {
  using namespace nb::literals;
  simulator.def(
      "record",
      [](Simulator& s, const std::filesystem::path& path, std::optional<double> rate, bool contacts) {
        std::shared_ptr<Recorder> recorder;
        RecordingExport make = export_for(path);
        {
          const WithoutGil release;
          recorder = record(s, path.string(), {rate, contacts}, std::move(make));
        }
        nb::object out = nb::cast(recorder);
        close_at_exit(out);
        return recorder;
      },
      "path"_a, nb::kw_only(), "rate"_a = nb::none(), "contacts"_a = true,
      "Records every step from now on, or `rate` interpolated samples a second, as what the name's ending says: .h5, "
      "or "
      "made of that at the end .csv, .html, .mcap. It writes over what runs have written, and over nothing else.");
}

}  // namespace stickslip::python
