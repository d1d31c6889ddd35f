#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "interrupt.h"
#include "stickslip/log/scene_json.h"

namespace stickslip::python {
namespace {

Matrix rows_view(std::vector<double>& data, size_t rows, size_t columns, nb::handle owner) {
  return Matrix(data.data(), {rows, columns}, owner);
}

// A property that is a view of rows of numbers.
template <std::vector<double> Trajectory::* rows>
Matrix rows_of(Trajectory& t) {
  const size_t count = t.t.size();
  return rows_view(t.*rows, count, count ? (t.*rows).size() / count : 0, nb::find(t));
}

Matrix constraint_forces(Trajectory& t) {
  const auto nv = static_cast<size_t>(t.model->nv);
  if (t.constraint_forces.empty()) return copy(MatrixXd(MatrixXd::Zero(t.t.size(), nv)));
  return rows_view(t.constraint_forces, t.t.size(), nv, nb::find(t));
}

// One element of run.contacts: the layout of the dtype below.
struct Element {
  std::int64_t sample;
  ContactSample contact;
};

nb::object structured(nb::handle bytes, std::initializer_list<std::tuple<const char*, const char*, int>> fields) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  nb::list type;
  for (const auto& [name, word, count] : fields)
    type.append(count == 1 ? nb::make_tuple(name, word) : nb::make_tuple(name, word, count));
  return numpy.attr("frombuffer")(bytes, numpy.attr("dtype")(type)).attr("copy")();
}

nb::object contacts_of(const Trajectory& t, size_t first, size_t last) {
  std::vector<Element> elements;
  for (size_t i = first; i < last; ++i) {
    for (std::int64_t k = t.contact_start[i]; k < t.contact_start[i + 1]; ++k)
      elements.push_back({static_cast<std::int64_t>(i), t.contacts[static_cast<size_t>(k)]});
  }
  return structured(nb::bytes(elements.data(), elements.size() * sizeof(Element)), {{"sample", "i8", 1},
                                                                                    {"body_a", "i4", 1},
                                                                                    {"body_b", "i4", 1},
                                                                                    {"point", "f4", 3},
                                                                                    {"normal", "f4", 3},
                                                                                    {"depth", "f4", 1},
                                                                                    {"force", "f4", 3},
                                                                                    {"slip", "f4", 3},
                                                                                    {"mode", "i4", 1},
                                                                                    {"largest_force", "f4", 1},
                                                                                    {"largest_pair_force", "f4", 1}});
}

nb::object contacts_at(const Trajectory& t, int index) {
  const int count = static_cast<int>(t.t.size()), i = index < 0 ? index + count : index;
  if (i < 0 || i >= count) throw nb::index_error(fmt::format("there is no sample {} of {}", index, count).c_str());
  return contacts_of(t, static_cast<size_t>(i), static_cast<size_t>(i) + 1);
}

nb::object steps_of(const Trajectory& t) {
  return structured(nb::bytes(t.steps.data(), t.steps.size() * sizeof(StepEntry)),
                    {{"time", "f8", 1}, {"h", "f8", 1}, {"error", "f8", 1}, {"target", "f8", 1}, {"hash", "u8", 1}});
}

Vector column(std::vector<double>& x, nb::handle owner) { return Vector(x.data(), {x.size()}, owner); }

void bind_energies(nb::module_& m) {
  nb::class_<Energies>(m, "Energies", "Of all samples of a run, J.")
      .def_prop_ro(
          "kinetic", [](Energies& e) { return column(e.kinetic, nb::find(e)); }, nb::rv_policy::reference)
      .def_prop_ro(
          "potential", [](Energies& e) { return column(e.potential, nb::find(e)); }, "of gravity and springs",
          nb::rv_policy::reference)
      .def_prop_ro(
          "elastic", [](Energies& e) { return column(e.elastic, nb::find(e)); }, "in compressed surfaces",
          nb::rv_policy::reference)
      .def_prop_ro(
          "total",
          [](const Energies& e) {
            VectorXd sum(static_cast<Eigen::Index>(e.kinetic.size()));
            for (size_t i = 0; i < e.kinetic.size(); ++i)
              sum[static_cast<Eigen::Index>(i)] = e.kinetic[i] + e.potential[i] + e.elastic[i];
            return copy(sum);
          },
          nb::rv_policy::reference);
}

void bind_verification(nb::module_& m) {
  nb::class_<Verification>(m, "Verification", "How a recording compares with a run of the same.")
      .def_ro("ok", &Verification::ok, "all steps agree, to the bit")
      .def_ro("steps", &Verification::steps, "that agree")
      .def_ro("first_difference", &Verification::first_difference, "index of a step, or None")
      .def_ro("message", &Verification::message)
      .def("__bool__", [](const Verification& v) { return v.ok; })
      .def("__repr__", [](const Verification& v) { return v.message; });
}

void bind_trajectory_class(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Trajectory>(m, "Trajectory", "What a run went through, one row a recorded time.")
      .def_prop_ro("model", [](const Trajectory& t) { return std::const_pointer_cast<Model>(t.model); })
      .def_prop_ro(
          "t", [](Trajectory& t) { return column(t.t, nb::find(t)); }, "s", nb::rv_policy::reference)
      .def_prop_ro("q", &rows_of<&Trajectory::q>, "len(t) x nq", nb::rv_policy::reference)
      .def_prop_ro("v", &rows_of<&Trajectory::v>, "len(t) x nv", nb::rv_policy::reference)
      .def_prop_ro("ctrl", &rows_of<&Trajectory::ctrl>, "len(t) x nu", nb::rv_policy::reference)
      .def_prop_ro("z", &rows_of<&Trajectory::z>, "states of external systems, len(t) x nz", nb::rv_policy::reference)
      .def_prop_ro("mocap", &rows_of<&Trajectory::mocap>, "len(t) x 7 a mocap body", nb::rv_policy::reference)
      .def_prop_ro("constraint_forces", &constraint_forces,
                   "of limits, dry friction, couplers and loop closures, means since the sample before, len(t) x nv",
                   nb::rv_policy::reference)
      .def_prop_ro(
          "contacts", [](const Trajectory& t) { return contacts_of(t, 0, t.t.size()); },
          nb::sig("def contacts(self) -> numpy.typing.NDArray[numpy.void]"),
          "Contacts that carry force, of all samples: the fields of Simulator.contacts, and `sample`, the row of t. "
          "`force` is the impulse since the sample before, divided by that interval; `largest_force` is the largest of "
          "a step in it, and `largest_pair_force` that of the sum over all contacts of the two bodies.")
      .def("contacts_at", &contacts_at, "sample"_a,
           nb::sig("def contacts_at(self, sample: int) -> numpy.typing.NDArray[numpy.void]"),
           "Contacts of one sample: of the steps since the one before.")
      .def_prop_ro("steps", &steps_of, nb::sig("def steps(self) -> numpy.typing.NDArray[numpy.void]"),
                   "Every accepted step, whatever the sample rate: time at its start, h, error, target, hash.")
      .def_prop_ro(
          "energy",
          [](Trajectory& t) {
            if (!t.energy) t.energy = energies(t);
            return *t.energy;
          },
          "Energies of all samples; computed from q and v when asked for.")
      .def_prop_ro(
          "state", [](const Trajectory& t) { return State(t.end); }, "at the end")
      .def_ro("report", &Trajectory::report)
      .def_ro("complete", &Trajectory::complete, "False: the run was killed, and this is what it left")
      .def_ro("sample_rate", &Trajectory::sample_rate, "Hz; None: a sample after every step")
      .def_prop_ro(
          "options",
          [](const Trajectory& t) {
            return nb::cast<nb::dict>(nb::module_::import_("json").attr("loads")(options_to_json(t.options)));
          },
          nb::sig("def options(self) -> dict[str, object]"), "of the simulator")
      .def(
          "_save",
          [](const Trajectory& t, const std::filesystem::path& path, bool force) {
            const WithoutGil release;
            save(t, path.string(), force ? Replace::kAnyFile : Replace::kRuns);
          },
          "path"_a, "force"_a)
      .def(
          "verify",
          [](const Trajectory& t, const std::vector<std::shared_ptr<System>>& systems) {
            const WithoutGil release;
            return verify(t, {systems.begin(), systems.end()});
          },
          "systems"_a = std::vector<std::shared_ptr<System>>(),
          "Runs it again and compares every step. External systems are not in a recording: give them again.");
}

}  // namespace

void bind_trajectory(nb::module_& m) {
  using namespace nb::literals;
  bind_energies(m);
  bind_verification(m);
  bind_trajectory_class(m);
  m.def(
      "simulate",
      [](const std::shared_ptr<Model>& model, std::optional<double> until, const std::optional<std::string>& method,
         std::optional<double> accuracy, const std::optional<TimeStep>& time_step, std::optional<double> sample_rate,
         double max_step, double min_step, const std::optional<Weights>& weights, const std::string& norm,
         std::optional<bool> extrapolate, std::optional<bool> free_flight, std::optional<bool> consistent_friction,
         const std::string& friction, std::optional<double> solver_tolerance, int threads,
         const std::optional<nb::dict>& solver, const std::vector<std::shared_ptr<System>>& systems, bool contacts,
         const std::optional<std::filesystem::path>& path, bool progress) {
        const SimulatorOptions options =
            simulator_options(*model, method, accuracy, time_step, max_step, min_step, weights, norm, extrapolate,
                              free_flight, consistent_friction, friction, solver_tolerance, threads, solver);
        InterruptWatch watch(progress, until.value_or(default_until(*model)));
        std::shared_ptr<Recorder> recorder;
        const RecordingExport make = path ? export_for(*path) : RecordingExport();
        const auto prepare = [&](Simulator& simulator) {
          watch.look_at(simulator);
          if (path) recorder = record(simulator, path->string(), {sample_rate, contacts}, make);
        };
        const auto finish = [&](Simulator&) {
          if (recorder) recorder->close();
        };
        Trajectory out;
        {
          const WithoutGil release;
          out = simulate(model, {.simulator = options,
                                 .until = until,
                                 .sample_rate = sample_rate,
                                 .keep_going = std::ref(watch),
                                 .systems = {systems.begin(), systems.end()},
                                 .contacts = contacts,
                                 .prepare = prepare,
                                 .finish = finish});
        }
        watch.finish(out.end.time);
        raise_if_interrupted();
        return out;
      },
      "model"_a, nb::kw_only(), "until"_a = nb::none(), "method"_a = nb::none(), "accuracy"_a = nb::none(),
      "time_step"_a = nb::none(), "sample_rate"_a = nb::none(), "max_step"_a = ControlOptions().max_step,
      "min_step"_a = ControlOptions().min_step, "weights"_a = nb::none(), "norm"_a = "", "extrapolate"_a = nb::none(),
      "free_flight"_a = nb::none(), "consistent_friction"_a = nb::none(), "friction"_a = "",
      "solver_tolerance"_a = nb::none(), "threads"_a = 1, "solver"_a = nb::none(),
      "systems"_a = std::vector<std::shared_ptr<System>>(), "contacts"_a = true, "record"_a = nb::none(),
      "progress"_a = false,
      "The whole run in one call: every step, or `sample_rate` interpolated samples a second. `record` names a file to "
      "record it into as it goes; `progress` shows a bar.");
  m.def("method_names", &stepper_names, "Names of the integration methods.");
}

}  // namespace stickslip::python
