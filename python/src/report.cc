#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace stickslip::python {

void bind_report(nb::module_& m) {
  nb::class_<EnergyAudit>(m, "EnergyAudit", "Where the energy went, J.")
      .def_ro("start", &EnergyAudit::start, "J")
      .def_ro("end", &EnergyAudit::end, "J, of this moment")
      .def_ro("actuators", &EnergyAudit::actuators, "work done by actuators")
      .def_ro("damping", &EnergyAudit::damping, "work done by joint and tendon damping, negative")
      .def_ro("contact", &EnergyAudit::contact, "work done by contact and constraints")
      .def_ro("elastic_normal", &EnergyAudit::elastic_normal, "part of `end`: stored in compressed surfaces")
      .def_ro("elastic_tangential", &EnergyAudit::elastic_tangential, "part of `end`: held by friction that remembers")
      .def_ro("gained", &EnergyAudit::gained, "the most by which it rose above what there was and what was fed")
      .def_ro("numerical_loss", &EnergyAudit::numerical_loss,
              "what the method lost; None if prescribed motion does work that nobody measures");
  nb::class_<StageSeconds>(m, "StageSeconds", "Wall time by stage, s.")
      .def_ro("geometry", &StageSeconds::geometry, "contacts and distances")
      .def_ro("dynamics", &StageSeconds::dynamics, "kinematics, mass matrix, forces")
      .def_ro("setup", &StageSeconds::setup, "making the steps' problems")
      .def_ro("assembly", &StageSeconds::assembly, "of the Hessians")
      .def_ro("factorization", &StageSeconds::factorization, "of them")
      .def_ro("line_search", &StageSeconds::line_search)
      .def_ro("other", &StageSeconds::other, "the rest")
      .def_ro("total", &StageSeconds::total, "of all steps");
  nb::class_<Report>(m, "Report", "What happened so far.")
      .def_prop_ro(
          "status", [](const Report& r) { return to_string(r.status.code); }, "'ok', or why the run stopped")
      .def_prop_ro(
          "message", [](const Report& r) { return r.status.message; }, "about the status, and what to do")
      .def_ro("method", &Report::method, "its name")
      .def_prop_ro(
          "accuracy", [](const Report& r) { return r.choice.accuracy; }, "that steps keep; None at fixed steps")
      .def_prop_ro(
          "time_step", [](const Report& r) { return r.choice.time_step; }, "of fixed steps, s; None otherwise")
      .def_prop_ro(
          "unused_file_time_step", [](const Report& r) { return r.choice.unused_file_step; },
          "that the model's file names and nobody asked for, s, or None")
      .def_ro("time", &Report::time, "s")
      .def_ro("steps", &Report::steps, "accepted")
      .def_ro("rejected", &Report::rejected, "attempts that were taken back")
      .def_ro("newton_iterations", &Report::newton_iterations, "of all steps and islands")
      .def_ro("factorizations", &Report::factorizations, "of all steps and islands")
      .def_ro("line_search_iterations", &Report::line_search_iterations, "trials, of all steps and islands")
      .def_ro("gradient_iterations", &Report::gradient_iterations,
              "of conjugate gradients, where islands are too large to factorise")
      .def_ro("local_iterations", &Report::local_iterations,
              "of Newton's method on parts of large islands; not among newton_iterations")
      .def_ro("slowest_island_iterations", &Report::slowest_island_iterations,
              "newton_iterations, of the island with most of them in each step")
      .def_ro("condition", &Report::condition, "of the last step's Hessians: an estimate; 0 if none was factorised")
      .def_ro("residual", &Report::residual, "largest of the last step, relative to its impulses")
      .def_ro("geometry_queries", &Report::geometry_queries, "of all contacts")
      .def_ro("h_min", &Report::h_min, "smallest step, s")
      .def_ro("h_median", &Report::h_median, "s")
      .def_ro("h_max", &Report::h_max, "largest step, s")
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
      .def_ro("energy", &Report::energy, "where it went")
      .def_ro("seconds", &Report::seconds, "wall time by stage")
      .def_ro("warnings", &Report::warnings,
              "about the model with this method, and what the run left far from held or deep in each other")
      .def_ro("held_by", &Report::held_by, "what keeps the last steps from being longer; '' if nothing does")
      .def("__repr__", &Report::brief)
      .def("__str__", &Report::full);
}

}  // namespace stickslip::python
