#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "interrupt.h"

namespace stickslip::python {
namespace {

Matrix rows_view(std::vector<double>& data, size_t rows, nb::handle owner) {
  const size_t columns = rows ? data.size() / rows : 0;
  return Matrix(data.data(), {rows, columns}, owner);
}

}  // namespace

void bind_trajectory(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Trajectory>(m, "Trajectory", "What a run went through, one row a recorded time.")
      .def_prop_ro("model", [](const Trajectory& t) { return std::const_pointer_cast<Model>(t.model); })
      .def_prop_ro(
          "t", [](Trajectory& t) { return Vector(t.t.data(), {t.t.size()}, nb::find(t)); }, "s",
          nb::rv_policy::reference)
      .def_prop_ro(
          "q", [](Trajectory& t) { return rows_view(t.q, t.t.size(), nb::find(t)); }, "len(t) x nq",
          nb::rv_policy::reference)
      .def_prop_ro(
          "v", [](Trajectory& t) { return rows_view(t.v, t.t.size(), nb::find(t)); }, "len(t) x nv",
          nb::rv_policy::reference)
      .def_prop_ro(
          "state", [](const Trajectory& t) { return State(t.end); }, "at the end")
      .def_ro("report", &Trajectory::report);
  m.def(
      "simulate",
      [](const std::shared_ptr<Model>& model, std::optional<double> until, const std::optional<std::string>& method,
         std::optional<double> accuracy, std::optional<double> time_step, std::optional<double> sample_rate,
         double max_step, double min_step, const std::optional<Weights>& weights, const std::string& norm,
         std::optional<bool> extrapolate, std::optional<bool> consistent_friction, const std::string& friction,
         std::optional<double> solver_tolerance, int threads, const std::optional<nb::dict>& solver,
         const std::vector<std::shared_ptr<System>>& systems) {
        const SimulatorOptions options =
            simulator_options(*model, method, accuracy, time_step, max_step, min_step, weights, norm, extrapolate,
                              consistent_friction, friction, solver_tolerance, threads, solver);
        Trajectory out;
        {
          nb::gil_scoped_release release;
          InterruptWatch watch;
          out = simulate(model, {options, until, sample_rate, std::ref(watch), {systems.begin(), systems.end()}});
        }
        raise_if_interrupted();
        return out;
      },
      "model"_a, nb::kw_only(), "until"_a = nb::none(), "method"_a = nb::none(), "accuracy"_a = nb::none(),
      "time_step"_a = nb::none(), "sample_rate"_a = nb::none(), "max_step"_a = ControlOptions().max_step,
      "min_step"_a = ControlOptions().min_step, "weights"_a = nb::none(), "norm"_a = "", "extrapolate"_a = nb::none(),
      "consistent_friction"_a = nb::none(), "friction"_a = "", "solver_tolerance"_a = nb::none(), "threads"_a = 1,
      "solver"_a = nb::none(), "systems"_a = std::vector<std::shared_ptr<System>>(),
      "The whole run in one call: every step, or `sample_rate` interpolated samples a second.");
  m.def("method_names", &stepper_names, "Names of the integration methods.");
}

}  // namespace stickslip::python
