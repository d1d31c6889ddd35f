#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace stickslip::python {

void bind_report(nb::module_& m) {
  nb::class_<EnergyAudit>(m, "EnergyAudit", "Where the energy went, J.")
      .def_ro("start", &EnergyAudit::start)
      .def_ro("end", &EnergyAudit::end)
      .def_ro("actuators", &EnergyAudit::actuators)
      .def_ro("damping", &EnergyAudit::damping)
      .def_ro("contact", &EnergyAudit::contact)
      .def_ro("elastic_normal", &EnergyAudit::elastic_normal, "part of `end`: stored in compressed surfaces")
      .def_ro("elastic_tangential", &EnergyAudit::elastic_tangential, "part of `end`: held by friction that remembers")
      .def_ro("numerical_loss", &EnergyAudit::numerical_loss);
  nb::class_<StageSeconds>(m, "StageSeconds", "Wall time by stage, s.")
      .def_ro("geometry", &StageSeconds::geometry)
      .def_ro("dynamics", &StageSeconds::dynamics)
      .def_ro("setup", &StageSeconds::setup)
      .def_ro("assembly", &StageSeconds::assembly)
      .def_ro("factorization", &StageSeconds::factorization)
      .def_ro("line_search", &StageSeconds::line_search)
      .def_ro("other", &StageSeconds::other)
      .def_ro("total", &StageSeconds::total);
  nb::class_<Report>(m, "Report", "What happened so far.")
      .def_prop_ro("status", [](const Report& r) { return to_string(r.status.code); })
      .def_prop_ro("message", [](const Report& r) { return r.status.message; })
      .def_ro("method", &Report::method)
      .def_ro("time", &Report::time)
      .def_ro("steps", &Report::steps)
      .def_ro("rejected", &Report::rejected)
      .def_ro("newton_iterations", &Report::newton_iterations)
      .def_ro("factorizations", &Report::factorizations)
      .def_ro("line_search_iterations", &Report::line_search_iterations)
      .def_ro("gradient_iterations", &Report::gradient_iterations)
      .def_ro("slowest_island_iterations", &Report::slowest_island_iterations)
      .def_ro("condition", &Report::condition)
      .def_ro("residual", &Report::residual)
      .def_ro("geometry_queries", &Report::geometry_queries)
      .def_ro("h_min", &Report::h_min)
      .def_ro("h_median", &Report::h_median)
      .def_ro("h_max", &Report::h_max)
      .def_prop_ro(
          "history",
          [](const Report& r) {
            const auto& entries = r.history.entries();
            MatrixXd rows(static_cast<Eigen::Index>(entries.size()), 3);
            for (size_t i = 0; i < entries.size(); ++i)
              rows.row(static_cast<Eigen::Index>(i)) << entries[i].time, entries[i].h, entries[i].error;
            return copy(rows);
          },
          "start, size and estimated error of the steps, n x 3; of long runs every second, fourth, ... step",
          nb::rv_policy::reference)
      .def_ro("max_penetration", &Report::max_penetration, "deepest overlap seen, m")
      .def_prop_ro(
          "largest_error", [](const Report& r) { return r.history.largest_error(); }, "estimated, of all steps")
      .def_ro("energy", &Report::energy)
      .def_ro("seconds", &Report::seconds)
      .def_ro("warnings", &Report::warnings)
      .def("__repr__", &Report::brief)
      .def("__str__", &Report::full);
}

}  // namespace stickslip::python
