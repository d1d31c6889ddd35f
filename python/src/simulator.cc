#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "interrupt.h"
#include "stickslip/base/names.h"
#include "stickslip/base/printable.h"
#include "stickslip/model/bounds.h"

namespace stickslip::python {
namespace {

// No Python in here: a thread that waits for whoever reads may have its lock.
State state_of(const Simulator& simulator) {
  const Reading hold(simulator.in_use(), "read its state");
  return simulator.state();
}

VectorXd constraint_forces_of(const Simulator& simulator, const JointInfo& joint) {
  const Reading hold(simulator.in_use(), "read its constraint forces");
  return simulator.constraint_forces().segment(joint.v_start, joint.nv);
}

void raise_if_stopped(const Status& status, const Simulator& simulator) {
  raise_if_interrupted();
  if (status.ok()) return;
  const State state = state_of(simulator);
  nb::object type = nb::module_::import_("stickslip.errors").attr("SimulationStopped");
  nb::object value =
      type(on_one_line(status.message), to_string(status.code), status.time, status.body, nb::cast(state));
  PyErr_SetObject(type.ptr(), value.ptr());
  throw nb::python_error();
}

// A part of a running simulation. It keeps the simulator alive, and Python's garbage collector sees that it does:
// controllers hold parts of the simulator that holds them.
struct PartView {
  nb::object owner;
  int index;
  Simulator& simulator() const {
    if (!owner.is_valid()) throw std::runtime_error("its simulator was collected as garbage");
    return *nb::inst_ptr<Simulator>(owner);
  }
};

struct BodyView : PartView {};

struct JointView : PartView {
  const JointInfo& info() const { return simulator().model().joints[index]; }
};

template <typename T>
int traverse_part(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<T>(self)->owner.ptr());
  return 0;
}

template <typename T>
int clear_part(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<T>(self)->owner.reset();
  return 0;
}

template <typename T>
PyType_Slot* part_slots() {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_part<T>)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_part<T>)},
                                {0, nullptr}};
  return slots;
}

// What users assign: not while a step would overwrite it.
void write(Simulator& simulator, Eigen::Ref<VectorXd> target, const VectorIn& value, const char* name) {
  const Changing hold(simulator.in_use(), fmt::format("write {}", name).c_str());
  assign(target, value, name);
}

void write_time(Simulator& simulator, double time) {
  const Changing hold(simulator.in_use(), "write the time");
  if (const auto bad = find_bad_time(time)) throw nb::value_error((bad->message + "; " + bad->fix).c_str());
  simulator.state().time = time;
}

// A linear and an angular part, one after the other.
Vector copy_six(const Vector3d& linear, const Vector3d& angular) {
  VectorXd out(6);
  out << linear, angular;
  return copy(out);
}

void bind_views(nb::module_& m) {
  nb::class_<BodyView>(m, "BodyView", nb::type_slots(part_slots<BodyView>()), "A body of a running simulation.")
      .def_prop_ro("name", [](const BodyView& b) { return b.simulator().model().bodies[b.index].name; })
      .def_prop_ro("index", [](const BodyView& b) { return b.index; })
      .def_prop_ro(
          "pose", [](const BodyView& b) { return copy(MatrixXd(b.simulator().body_pose(b.index).matrix())); },
          "4x4, X_WB", nb::rv_policy::reference)
      .def_prop_ro(
          "position", [](const BodyView& b) { return copy(VectorXd(b.simulator().body_pose(b.index).position)); }, "m",
          nb::rv_policy::reference)
      .def_prop_ro(
          "quaternion",
          [](const BodyView& b) {
            const Quaterniond q = b.simulator().body_pose(b.index).quaternion();
            return copy(VectorXd(Eigen::Vector4d(q.w(), q.x(), q.y(), q.z())));
          },
          "w, x, y, z", nb::rv_policy::reference)
      .def_prop_ro(
          "velocity",
          [](const BodyView& b) {
            const LinkVelocity velocity = b.simulator().body_velocity(b.index);
            return copy_six(velocity.v, velocity.w);
          },
          "linear of the origin, then angular; world axes", nb::rv_policy::reference)
      .def_prop_ro(
          "contact_force",
          [](const BodyView& b) {
            const Wrench wrench = b.simulator().contact_force(b.index);
            return copy_six(wrench.f, wrench.n);
          },
          "sum of the contact forces in the last step, then their torque about the origin; world axes",
          nb::rv_policy::reference);
  nb::class_<JointView>(m, "JointView", nb::type_slots(part_slots<JointView>()),
                        "A joint of a running simulation; q and v are writable views.")
      .def_prop_ro("name", [](const JointView& j) { return j.info().name; })
      .def_prop_ro(
          "constraint_force", [](const JointView& j) { return copy(constraint_forces_of(j.simulator(), j.info())); },
          "of limits, dry friction, couplers and loop closures in the last step; N or N m, nv numbers",
          nb::rv_policy::reference)
      .def_prop_rw(
          "q",
          [](JointView& j) {
            return view(j.simulator(), j.simulator().state().q.data() + j.info().q_start, j.info().nq);
          },
          [](JointView& j, const VectorIn& x) {
            write(j.simulator(), j.simulator().state().q.segment(j.info().q_start, j.info().nq), x, "q");
          },
          nb::rv_policy::reference)
      .def_prop_rw(
          "v",
          [](JointView& j) {
            return view(j.simulator(), j.simulator().state().v.data() + j.info().v_start, j.info().nv);
          },
          [](JointView& j, const VectorIn& x) {
            write(j.simulator(), j.simulator().state().v.segment(j.info().v_start, j.info().nv), x, "v");
          },
          nb::rv_policy::reference);
}

// How it steps, since that may not be what the file says.
std::string describe(const Simulator& s) {
  const StepChoice steps = step_choice(s.options(), s.model());
  const std::string note = unused_step_note(steps);
  const std::string& name = s.model().name.empty() ? s.model().file : s.model().name;
  return fmt::format("<Simulator{}: t = {:g} s, {}, {}{}>",
                     name.empty() ? "" : fmt::format(" of {}", on_one_line(name)), s.time(), s.method(),
                     to_string(steps), note.empty() ? "" : "; " + note);
}

void bind_simulator_class(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Simulator> simulator(m, "Simulator", nb::type_slots(simulator_slots()),
                                  "A model, a state and a method: simulation step by step.");
  bind_queries(simulator);
  bind_contacts(simulator);
  bind_systems_of(simulator);
  bind_recording_of(simulator);
  simulator
      .def(
          "__init__",
          [](Simulator* self, const std::shared_ptr<Model>& model, const std::optional<std::string>& method,
             std::optional<double> accuracy, const std::optional<TimeStep>& time_step, double max_step, double min_step,
             const std::optional<Weights>& weights, const std::string& norm, std::optional<bool> extrapolate,
             std::optional<bool> free_flight, std::optional<bool> consistent_friction, const std::string& friction,
             std::optional<double> solver_tolerance, int threads, const std::optional<nb::dict>& solver) {
            new (self) Simulator(model, simulator_options(*model, method, accuracy, time_step, max_step, min_step,
                                                          weights, norm, extrapolate, free_flight, consistent_friction,
                                                          friction, solver_tolerance, threads, solver));
          },
          "model"_a, nb::kw_only(), "method"_a = nb::none(), "accuracy"_a = nb::none(), "time_step"_a = nb::none(),
          "max_step"_a = ControlOptions().max_step, "min_step"_a = ControlOptions().min_step, "weights"_a = nb::none(),
          "norm"_a = "", "extrapolate"_a = nb::none(), "free_flight"_a = nb::none(),
          "consistent_friction"_a = nb::none(), "friction"_a = "", "solver_tolerance"_a = nb::none(), "threads"_a = 1,
          "solver"_a = nb::none(),
          "`accuracy` for methods with error control (default 1e-3), or `time_step` for fixed steps, in s; what is not "
          "given is the scene's, or the default. time_step='file' takes the step that an MJCF or SDF file names, which "
          "nothing uses otherwise.\n\n"
          "`max_step`, `min_step` bound the steps under error control, in s. `weights` of the error norm: 'size' of "
          "the "
          "bodies, 'identity', or nv numbers; `norm`: of 'position' or 'state'. `friction`: 'anchored', which holds "
          "without creep, or 'regularized'. `extrapolate`, `free_flight`, `consistent_friction`: second order where "
          "the motion is smooth; exact motion of lone bodies that nothing touches; friction of the step's own normal "
          "force. `solver_tolerance` of the convex methods, relative to the "
          "impulses of a step. `threads` solve islands side by side; results do not depend on them. `solver`: a dict "
          "of "
          "'linear_solver', 'line_search', 'reuse_factors', 'islands', 'patches', 'contact_space', 'local_solves', "
          "'stiff_at_end', for comparisons.")
      .def(
          "step",
          [](Simulator& s) {
            Status status;
            {
              const WithoutGil release;
              status = s.step();
            }
            raise_if_stopped(status, s);
          },
          "One accepted step of the method.")
      .def(
          "advance_to",
          [](Simulator& s, double time, bool progress) {
            InterruptWatch watch(progress, time, s.time());
            watch.look_at(s);
            Status status;
            {
              const WithoutGil release;
              status = s.advance_to(time, std::ref(watch));
            }
            watch.finish(s.time());
            raise_if_stopped(status, s);
          },
          "time"_a, nb::kw_only(), "progress"_a = false,
          "Steps until `time`, which is hit exactly; `progress` shows a bar.")
      .def("reset", &Simulator::reset, "Back to the start.")
      .def("__repr__", &describe)
      .def_prop_ro("model", [](const Simulator& s) { return std::const_pointer_cast<Model>(s.shared_model()); })
      .def_prop_ro("method", &Simulator::method, "its name")
      .def_prop_ro("time_step", &Simulator::time_step, "s; under error control the longest")
      .def_prop_rw(
          "time", [](const Simulator& s) { return s.time(); }, &write_time, "s")
      .def_prop_rw(
          "q", [](Simulator& s) { return view(s, s.state().q); },
          [](Simulator& s, const VectorIn& x) { write(s, s.state().q, x, "q"); },
          "positions, nq; a view: the next call sees what is written", nb::rv_policy::reference)
      .def_prop_rw(
          "v", [](Simulator& s) { return view(s, s.state().v); },
          [](Simulator& s, const VectorIn& x) { write(s, s.state().v, x, "v"); },
          "velocities, nv; a view: the next call sees what is written", nb::rv_policy::reference)
      .def_prop_rw(
          "ctrl", [](Simulator& s) { return view(s, s.state().ctrl); },
          [](Simulator& s, const VectorIn& x) { assign(s.state().ctrl, x, "ctrl"); },
          "what the actuators are told, nu; a view", nb::rv_policy::reference)
      .def_prop_rw(
          "mocap", [](Simulator& s) { return view(s, s.state().mocap); },
          [](Simulator& s, const VectorIn& x) { assign(s.state().mocap, x, "mocap"); },
          "7 numbers a mocap body: position, quaternion wxyz", nb::rv_policy::reference)
      .def_prop_rw(
          "state", &state_of, [](Simulator& s, const State& x) { s.set_state(x); }, nb::rv_policy::move,
          "A copy of the state; assign one to continue from it bit for bit.")
      .def_prop_ro("kinetic_energy", &Simulator::kinetic_energy, "J")
      .def_prop_ro("potential_energy", &Simulator::potential_energy,
                   "of gravity, springs, compressed surfaces and the springs of friction, J")
      .def_prop_ro("report", &Simulator::report, "what happened so far")
      .def(
          "body",
          [](const Simulator& s, const NameOrIndex& key) {
            return BodyView{{nb::borrow(nb::find(s)), index_of(key, s.model().body_names(), "body")}};
          },
          "name"_a, "A body by name or index: its pose, velocity, contact force.")
      .def(
          "joint",
          [](Simulator& s, const NameOrIndex& key) {
            return JointView{{nb::borrow(nb::find(s)), index_of(key, s.model().joint_names(), "joint")}};
          },
          "name"_a, "A joint by name or index: its q and v.")
      .def("copy", &copy_of, nb::rv_policy::take_ownership, "An independent twin.")
      .def("__copy__", &copy_of, nb::rv_policy::take_ownership)
      .def(
          "__deepcopy__", [](const Simulator& s, const nb::dict&) { return copy_of(s); }, nb::rv_policy::take_ownership,
          "memo"_a);
}

}  // namespace

namespace {

// The value of `name` among words, or an error that lists them.
template <typename Value>
Value chosen(const std::string& key, nb::handle given, std::initializer_list<std::pair<const char*, Value>> choices) {
  const auto word = nb::cast<std::string>(given);
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (word == name) return value;
    names.emplace_back(name);
  }
  throw std::invalid_argument("solver['" + key + "'] is '" + word + "'; " + did_you_mean(word, names));
}

SolverOptions solver_options(const nb::dict& given) {
  const std::vector<std::string> keys{"linear_solver", "line_search",   "reuse_factors", "islands",
                                      "patches",       "contact_space", "local_solves",  "stiff_at_end"};
  SolverOptions out;
  for (const auto& [name, value] : given) {
    const auto key = nb::cast<std::string>(name);
    if (key == "linear_solver") {
      out.linear_solver = chosen<LinearSolver>(key, value,
                                               {{"automatic", LinearSolver::kAutomatic},
                                                {"sparse", LinearSolver::kSparse},
                                                {"dense", LinearSolver::kDense},
                                                {"iterative", LinearSolver::kIterative}});
    } else if (key == "line_search") {
      out.line_search_start = chosen<LineSearchStart>(key, value,
                                                      {{"cubic", LineSearchStart::kCubic},
                                                       {"quadratic", LineSearchStart::kQuadratic},
                                                       {"full", LineSearchStart::kFull}});
    } else if (key == "reuse_factors") {
      out.reuse_factors = nb::cast<bool>(value);
    } else if (key == "islands") {
      out.islands = nb::cast<bool>(value);
    } else if (key == "patches") {
      out.patches = nb::cast<bool>(value);
    } else if (key == "contact_space") {
      out.contact_space = nb::cast<bool>(value);
    } else if (key == "local_solves") {
      out.local_solves = nb::cast<bool>(value);
    } else if (key == "stiff_at_end") {
      out.stiff_at_end = nb::cast<bool>(value);
    } else {
      throw std::invalid_argument("solver has no option '" + key + "'; " + did_you_mean(key, keys));
    }
  }
  return out;
}

std::optional<double> seconds_of(const Model& model, const std::optional<TimeStep>& given) {
  if (!given) return {};
  if (const double* seconds = std::get_if<double>(&*given)) return *seconds;
  const auto& word = std::get<std::string>(*given);
  if (word != "file")
    throw std::invalid_argument("time_step is '" + word + "', expected a number of seconds or 'file'");
  return file_time_step(model);
}

}  // namespace

SimulatorOptions simulator_options(const Model& model, const std::optional<std::string>& method,
                                   std::optional<double> accuracy, const std::optional<TimeStep>& time_step,
                                   double max_step, double min_step, const std::optional<Weights>& weights,
                                   const std::string& norm, std::optional<bool> extrapolate,
                                   std::optional<bool> free_flight, std::optional<bool> consistent_friction,
                                   const std::string& friction, std::optional<double> solver_tolerance, int threads,
                                   const std::optional<nb::dict>& solver) {
  SimulatorOptions options{.method = method.value_or(""),
                           .accuracy = accuracy,
                           .time_step = seconds_of(model, time_step),
                           .max_step = max_step,
                           .min_step = min_step,
                           .norm = norm,
                           .extrapolate = extrapolate,
                           .free_flight = free_flight,
                           .consistent_friction = consistent_friction,
                           .friction = friction,
                           .solver_tolerance = solver_tolerance,
                           .threads = threads};
  if (weights && weights->index() == 0) options.weights = std::get<0>(*weights);
  if (weights && weights->index() == 1) options.weights = read(std::get<1>(*weights), model.nv, "weights");
  if (solver) options.solver = solver_options(*solver);
  return options;
}

void bind_simulator(nb::module_& m) {
  bind_views(m);
  bind_ray_hit(m);
  bind_simulator_class(m);
}

}  // namespace stickslip::python
