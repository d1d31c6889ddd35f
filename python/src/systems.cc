#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>

#include "bindings.h"
#include "gil.h"

namespace stickslip::python {
namespace {

// Functions of Python, called from steps that run without the GIL. What they raise passes through the step as a C++
// exception, and out of it as itself.
struct PythonFunctions {
  PythonFunctions(nb::object g, nb::object h, nb::object their_jacobians)
      : output(std::move(g)), derivative(std::move(h)), jacobians(std::move(their_jacobians)) {}
  PythonFunctions(const PythonFunctions&) = delete;
  PythonFunctions& operator=(const PythonFunctions&) = delete;
  ~PythonFunctions() {
    const WithGil hold;
    clear();
  }
  void clear() {
    output.reset();
    derivative.reset();
    jacobians.reset();
  }

  nb::object output, derivative, jacobians;
};

class PythonSystem final : public FunctionSystem {
 public:
  PythonSystem(SystemFunctions functions, std::shared_ptr<PythonFunctions> calls)
      : FunctionSystem(std::move(functions)), calls_(std::move(calls)) {}
  PythonFunctions& calls() const { return *calls_; }

 private:
  std::shared_ptr<PythonFunctions> calls_;
};

class PythonSampled final : public Sampled {
 public:
  PythonSampled(double rate, Function function, std::string name, std::shared_ptr<PythonFunctions> calls)
      : Sampled(rate, std::move(function), std::move(name)), calls_(std::move(calls)) {}
  PythonFunctions& calls() const { return *calls_; }

 private:
  std::shared_ptr<PythonFunctions> calls_;
};

// Controllers often know the simulator that they are part of: Python's garbage collector must see the circle, from the
// simulator to its systems (simulator_slots) to their functions, and can break it there.
template <typename T>
int traverse_system(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const PythonFunctions& calls = nb::inst_ptr<T>(self)->calls();
  Py_VISIT(calls.output.ptr());
  Py_VISIT(calls.derivative.ptr());
  Py_VISIT(calls.jacobians.ptr());
  return 0;
}

template <typename T>
int clear_system(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<T>(self)->calls().clear();
  return 0;
}

template <typename T>
PyType_Slot* system_slots() {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_system<T>)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear_system<T>)},
                                {0, nullptr}};
  return slots;
}

template <typename... Arguments>
nb::object call(const nb::object& function, Arguments&&... arguments) {
  if (!function.is_valid()) throw std::runtime_error("this system's functions were collected as garbage");
  return function(std::forward<Arguments>(arguments)...);
}

nb::object call_at(const nb::object& function, const SystemInput& in) {
  return call(function, in.time(), copy(in.state.q), copy(in.state.v), copy(VectorXd(in.z)));
}

VectorXd numbers(const nb::object& result, Eigen::Index size, const std::string& system, const char* what) {
  // An array of the right kind, which most functions return, needs no detour through numpy.
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> array;
  if (nb::try_cast(result, array, false) && static_cast<Eigen::Index>(array.size()) == size)
    return Eigen::Map<const VectorXd>(array.data(), size);
  VectorIn in;
  if (!nb::try_cast(result, in) || !in.complaint.empty())
    throw nb::type_error(
        fmt::format("the {} of system '{}' is not an array of numbers: it {}", what, system, in.complaint).c_str());
  if (in.values.size() != size)
    throw nb::value_error(
        fmt::format("the {} of system '{}' has {} numbers, expected {}", what, system, in.values.size(), size).c_str());
  return in.values;
}

void read_matrix(const nb::dict& given, const char* key, const std::string& system, MatrixXd& out) {
  if (!given.contains(key)) return;
  const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(given[key], "float64");
  nb::ndarray<const double, nb::c_contig, nb::device::cpu> values;
  const bool fits = nb::try_cast(array, values) && values.ndim() == 2 &&
                    static_cast<Eigen::Index>(values.shape(0)) == out.rows() &&
                    static_cast<Eigen::Index>(values.shape(1)) == out.cols();
  if (!fits)
    throw nb::value_error(
        fmt::format("{} of system '{}' is not a {} x {} array", key, system, out.rows(), out.cols()).c_str());
  out = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), out.rows(), out.cols());
}

void read_jacobians(const nb::object& result, const std::string& system, SystemJacobians& out) {
  if (!nb::isinstance<nb::dict>(result))
    throw nb::type_error(fmt::format("the Jacobians of system '{}' are not a dict", system).c_str());
  const nb::dict given = nb::cast<nb::dict>(result);
  const std::vector<std::string> known{"g_q", "g_v", "g_z", "h_q", "h_v", "h_z", "g_t", "h_t"};
  for (const auto& [key, value] : given) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw nb::value_error(fmt::format("system '{}' has no Jacobian '{}'; there are g_q, g_v, g_z, h_q, h_v, h_z, g_t "
                                        "and h_t",
                                        system, name)
                                .c_str());
  }
  MatrixXd* const matrices[] = {&out.g_q, &out.g_v, &out.g_z, &out.h_q, &out.h_v, &out.h_z};
  for (size_t i = 0; i < std::size(matrices); ++i) read_matrix(given, known[i].c_str(), system, *matrices[i]);
  if (given.contains("g_t")) out.g_t = numbers(given["g_t"], out.g_t.size(), system, "g_t");
  if (given.contains("h_t")) out.h_t = numbers(given["h_t"], out.h_t.size(), system, "h_t");
}

VectorXd or_none(const std::optional<VectorIn>& in, const char* name) { return in ? numbers(*in, name) : VectorXd(); }

using Callable = std::optional<nb::callable>;

nb::object or_none(const Callable& function) { return function ? nb::object(*function) : nb::object(nb::none()); }

std::shared_ptr<PythonSystem> make_system(int nz, const Callable& derivative, const Callable& output,
                                          const std::optional<VectorIn>& z0, bool implicit, const std::string& name,
                                          const Callable& jacobians, const std::optional<VectorIn>& effort_limit,
                                          const std::optional<std::vector<int>>& dofs, double resolution) {
  if (nz < 0) throw nb::value_error("nz is negative");
  if (nz > 0 && !derivative) throw nb::value_error("a system with states needs a derivative");
  SystemFunctions functions;
  functions.name = name;
  functions.implicit = implicit;
  functions.z0 = z0 ? read(*z0, nz, "z0") : VectorXd::Zero(nz);
  functions.effort_limit = or_none(effort_limit, "effort_limit");
  functions.dofs = dofs.value_or(std::vector<int>());
  functions.resolution = resolution;
  const auto calls = std::make_shared<PythonFunctions>(or_none(output), or_none(derivative), or_none(jacobians));
  if (output)
    functions.output = [calls, name](const SystemInput& in, VectorXd& tau) {
      const WithGil hold;
      tau += numbers(call_at(calls->output, in), in.model.nv, name, "output");
    };
  if (derivative)
    functions.derivative = [calls, name](const SystemInput& in, Eigen::Ref<VectorXd> zdot) {
      const WithGil hold;
      zdot = numbers(call_at(calls->derivative, in), zdot.size(), name, "derivative");
    };
  if (jacobians)
    functions.jacobians = [calls, name](const SystemInput& in, SystemJacobians& out) {
      const WithGil hold;
      read_jacobians(call_at(calls->jacobians, in), name, out);
    };
  return std::make_shared<PythonSystem>(std::move(functions), calls);
}

std::shared_ptr<PythonSampled> make_sampled(double rate, const nb::callable& function, const std::string& name) {
  const auto calls = std::make_shared<PythonFunctions>(function, nb::none(), nb::none());
  return std::make_shared<PythonSampled>(
      rate,
      [calls, name](const SystemInput& in, Eigen::Ref<VectorXd> tau) {
        const WithGil hold;
        tau = numbers(call(calls->output, in.time(), copy(in.state.q), copy(in.state.v)), tau.size(), name, "output");
      },
      name, calls);
}

JointControllerOptions controller_options(const std::optional<std::vector<std::string>>& joints, const VectorIn& kp,
                                          const VectorIn& kd, const std::optional<VectorIn>& target,
                                          const std::optional<VectorIn>& target_velocity,
                                          const std::optional<VectorIn>& effort_limit, bool implicit,
                                          const std::optional<std::string>& name) {
  JointControllerOptions out;
  out.joints = joints.value_or(std::vector<std::string>());
  out.kp = numbers(kp, "kp");
  out.kd = numbers(kd, "kd");
  if (target) out.target = numbers(*target, "target");
  if (target_velocity) out.target_velocity = numbers(*target_velocity, "target_velocity");
  out.effort_limit = or_none(effort_limit, "effort_limit");
  out.implicit = implicit;
  out.name = name.value_or("");
  return out;
}

void bind_function_systems(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<System>(m, "ExternalSystem", "Whatever Simulator.add takes: z' = h(z, x), tau = g(z, x).")
      .def_prop_ro("name", &System::name)
      .def_prop_ro("implicit", &System::implicit, "whether steps take its forces at their end");
  nb::class_<PythonSystem, System>(
      m, "System", nb::type_slots(system_slots<PythonSystem>()),
      "A system made of functions f(t, q, v, z): `derivative` returns z' (nz numbers), `output` generalised forces "
      "(nv).\n"
      "`implicit` forces are taken at the end of a step, by `jacobians` or else by differences; `dofs` (indices of v) "
      "bounds what they go over. Under error control no pulse as long as `resolution` [s] is stepped over; infinity: "
      "the "
      "functions are smooth.")
      .def(nb::new_(&make_system), "nz"_a = 0, "derivative"_a = nb::none(), "output"_a = nb::none(),
           "z0"_a = nb::none(), "implicit"_a = true, nb::kw_only(), "name"_a = "system", "jacobians"_a = nb::none(),
           "effort_limit"_a = nb::none(), "dofs"_a = nb::none(), "resolution"_a = kDefaultResolution);
  nb::class_<PythonSampled, System>(
      m, "Sampled", nb::type_slots(system_slots<PythonSampled>()),
      "A controller f(t, q, v) that runs `rate` times a second; its forces (nv) act until the "
      "next tick, at which steps end.")
      .def(nb::new_(&make_sampled), "rate"_a, "function"_a, "name"_a = "sampled")
      .def_prop_ro("rate", &PythonSampled::rate)
      .def("next_tick", &PythonSampled::next_tick, "time"_a);
}

void bind_joint_controllers(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<JointController, System>(m, "JointController",
                                      "A controller of joints with one degree of freedom each. Gains, targets and "
                                      "limits are one number for all, or one a joint.")
      .def_prop_rw(
          "target", [](const JointController& c) { return copy(c.target()); },
          [](JointController& c, const VectorIn& x) { c.set_target(numbers(x, "target")); },
          "may be set between steps; not part of the state", nb::rv_policy::reference)
      .def_prop_rw(
          "target_velocity", [](const JointController& c) { return copy(c.target_velocity()); },
          [](JointController& c, const VectorIn& x) { c.set_target_velocity(numbers(x, "target_velocity")); },
          nb::rv_policy::reference);
  using Joints = std::optional<std::vector<std::string>>;
  using Numbers = std::optional<VectorIn>;
  using Name = std::optional<std::string>;
  nb::class_<JointPD, JointController>(m, "JointPD", "tau = kp (target - q) + kd (target_velocity - v)")
      .def(nb::new_([](const Model& model, const Joints& joints, const VectorIn& kp, const VectorIn& kd,
                       const Numbers& target, const Numbers& velocity, const Numbers& limit, bool implicit,
                       const Name& name) {
             return std::make_shared<JointPD>(
                 model, controller_options(joints, kp, kd, target, velocity, limit, implicit, name));
           }),
           "model"_a, "joints"_a = nb::none(), nb::kw_only(), "kp"_a, "kd"_a, "target"_a = nb::none(),
           "target_velocity"_a = nb::none(), "effort_limit"_a = nb::none(), "implicit"_a = true, "name"_a = nb::none());
  nb::class_<JointPID, JointController>(m, "JointPID",
                                        "tau = kp e + ki z + kd e', z' = e, e = target - q: z is the integral.")
      .def(nb::new_([](const Model& model, const Joints& joints, const VectorIn& kp, const VectorIn& ki,
                       const VectorIn& kd, const Numbers& target, const Numbers& velocity, const Numbers& limit,
                       bool implicit, const Name& name) {
             return std::make_shared<JointPID>(
                 model, controller_options(joints, kp, kd, target, velocity, limit, implicit, name), numbers(ki, "ki"));
           }),
           "model"_a, "joints"_a = nb::none(), nb::kw_only(), "kp"_a, "ki"_a, "kd"_a, "target"_a = nb::none(),
           "target_velocity"_a = nb::none(), "effort_limit"_a = nb::none(), "implicit"_a = true, "name"_a = nb::none());
  nb::class_<InverseDynamicsControl, JointController>(
      m, "InverseDynamicsControl",
      "Computed torque: tau = M a + bias, a = kp (target - q) + kd (target_velocity - v), at the joints given.")
      .def(nb::new_([](const Model& model, const Joints& joints, const VectorIn& kp, const VectorIn& kd,
                       const Numbers& target, const Numbers& velocity, const Numbers& limit, bool implicit,
                       const Name& name) {
             return std::make_shared<InverseDynamicsControl>(
                 model, controller_options(joints, kp, kd, target, velocity, limit, implicit, name));
           }),
           "model"_a, "joints"_a = nb::none(), nb::kw_only(), "kp"_a, "kd"_a, "target"_a = nb::none(),
           "target_velocity"_a = nb::none(), "effort_limit"_a = nb::none(), "implicit"_a = true, "name"_a = nb::none());
  using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  nb::class_<TrajectoryReplay, System>(m, "TrajectoryReplay",
                                       "A PD controller whose targets come from a table: positions[i] at times[i], a "
                                       "column a joint, straight lines between.")
      .def(nb::new_([](const Model& model, const VectorIn& times, const Table& positions, const Joints& joints,
                       const VectorIn& kp, const VectorIn& kd, const Numbers& limit, bool implicit, const Name& name) {
             const MatrixXd table =
                 Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                     positions.data(), static_cast<Eigen::Index>(positions.shape(0)),
                     static_cast<Eigen::Index>(positions.shape(1)));
             return std::make_shared<TrajectoryReplay>(
                 model, controller_options(joints, kp, kd, {}, {}, limit, implicit, name), numbers(times, "times"),
                 table);
           }),
           "model"_a, "times"_a, "positions"_a, "joints"_a = nb::none(), nb::kw_only(), "kp"_a, "kd"_a,
           "effort_limit"_a = nb::none(), "implicit"_a = true, "name"_a = nb::none());
}

void bind_other_systems(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<GravityCompensation, System>(m, "GravityCompensation", "Holds joints against gravity.")
      .def(nb::new_(
               [](const Model& model, const std::optional<std::vector<std::string>>& joints, const std::string& name) {
                 return std::make_shared<GravityCompensation>(model, joints.value_or(std::vector<std::string>()), name);
               }),
           "model"_a, "joints"_a = nb::none(), nb::kw_only(), "name"_a = "gravity compensation");
  nb::class_<Suction, System>(m, "Suction",
                              "Pulls a point of a gripper and the nearest point of a target's surface together: "
                              "force/(1 + d/distance) within `range`.")
      .def(nb::new_([](const Model& model, const std::string& gripper, const std::string& target, double force,
                       double distance, double range, const VectorIn& point, bool implicit, const std::string& name) {
             const Vector3d at = read(point, 3, "point");
             return std::make_shared<Suction>(model, SuctionOptions{.gripper = gripper,
                                                                    .point = at,
                                                                    .target = target,
                                                                    .force = force,
                                                                    .distance = distance,
                                                                    .range = range,
                                                                    .implicit = implicit,
                                                                    .name = name});
           }),
           "model"_a, "gripper"_a, "target"_a, nb::kw_only(), "force"_a, "distance"_a = 1e-3,
           "range"_a = std::numeric_limits<double>::infinity(), "point"_a = nb::make_tuple(0, 0, 0),
           "implicit"_a = true, "name"_a = "suction");
}

}  // namespace

namespace {

// A reference that belongs to one simulator alone, that is; one that a copy shares counts as held from outside.
int traverse_simulator(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const SystemEntry& entry : nb::inst_ptr<Simulator>(self)->systems().entries()) {
    if (entry.system.use_count() != 1) continue;
    const nb::handle system = nb::find(*entry.system);
    Py_VISIT(system.ptr());
  }
  return 0;
}

}  // namespace

// A pointer of its own to each system that Python knows: else one reference from Python's side would stand for two
// simulators, and the garbage collector could not tell whether all of them are gone.
Simulator* copy_of(const Simulator& simulator) {
  auto out = std::make_unique<Simulator>(simulator);
  out->hold_systems([](const SystemEntry& entry) -> std::shared_ptr<const System> {
    const nb::handle system = nb::find(*entry.system);
    return system.is_valid() ? nb::cast<std::shared_ptr<System>>(system) : entry.system;
  });
  return out.release();
}

PyType_Slot* simulator_slots() {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_simulator)}, {0, nullptr}};
  return slots;
}

void bind_systems(nb::module_& m) {
  bind_function_systems(m);
  bind_joint_controllers(m);
  bind_other_systems(m);
}

void bind_systems_of(nb::class_<Simulator>& simulator) {
  using namespace nb::literals;
  simulator
      .def(
          "add", [](Simulator& s, const std::shared_ptr<System>& system) { s.add(system); }, "system"_a,
          "Adds an external system, whose states join the end of `z`.")
      .def_prop_rw(
          "z", [](Simulator& s) { return view(s, s.state().z); },
          [](Simulator& s, const VectorIn& x) {
            const Changing hold(s.in_use(), "write z");
            assign(s.state().z, x, "z");
          },
          "states of the external systems, in the order in which they were added", nb::rv_policy::reference);
}

}  // namespace stickslip::python
