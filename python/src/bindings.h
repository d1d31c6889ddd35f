#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "stickslip/stickslip.h"

namespace nb = nanobind;

namespace stickslip::python {

using Vector = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Matrix = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// Numbers given by the user: an array, a list, a tuple or a single number, whatever numpy makes a vector of.
struct VectorIn {
  VectorXd values;
  std::string complaint;  // why there are none: "must be numbers, given text"; empty if there are

  void read(nb::handle source);
};

// A writable view of memory owned by the Python object `owner`, which it keeps alive.
Vector view(VectorXd& data, nb::handle owner);
// The same of numbers of a simulator's state, which outlive it as long as somebody looks.
Vector view(const Simulator& simulator, double* data, int count);
Vector view(const Simulator& simulator, VectorXd& data);
// A new array that owns a copy.
Vector copy(const VectorXd& data);
Matrix copy(const MatrixXd& data);
// Checks kind and size and copies; errors name the argument.
const VectorXd& numbers(const VectorIn& in, const char* name);  // of any size
VectorXd read(const VectorIn& in, int size, const char* name);
void assign(Eigen::Ref<VectorXd> target, const VectorIn& in, const char* name);

// A model's element by name (raises UnknownName with a suggestion) or by index.
using NameOrIndex = std::variant<std::string, int>;
int index_of(const NameOrIndex& key, const std::vector<std::string>& names, const char* kind);

void bind_decomposition(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_geometry(nb::module_& m);
void bind_model(nb::module_& m);
void bind_state(nb::module_& m);
void bind_report(nb::module_& m);
void bind_simulator(nb::module_& m);
void shorten_type_errors(nb::module_& m);  // of all that is bound: last
void bind_systems(nb::module_& m);
void bind_systems_of(nb::class_<Simulator>& simulator);
PyType_Slot* simulator_slots();                  // lets the garbage collector see the systems of a simulator
Simulator* copy_of(const Simulator& simulator);  // which it sees, too
void bind_ray_hit(nb::module_& m);
void bind_queries(nb::class_<Simulator>& simulator);
void bind_recording(nb::module_& m);
void bind_viewer(nb::module_& m);
void bind_recording_of(nb::class_<Simulator>& simulator);
RecordingExport export_for(const std::filesystem::path& path);  // how a recording becomes what the name says
void bind_trajectory(nb::module_& m);

// For LoadOptions: lets the Python package find the convex parts of a mesh; false if it cannot.
bool decompose_in_python(const std::string& mesh_file, const Decomposition& how);
// For LoadOptions: lets the Python package `xacro` expand a template; raises ImportError where it is not installed.
std::string expand_xacro_in_python(const std::string& file, const std::vector<std::string>& package_path);

// What users may say about how steps are taken: the keyword arguments of Simulator and simulate.
using Weights = std::variant<std::string, VectorIn>;
using TimeStep = std::variant<double, std::string>;  // s, or 'file'
SimulatorOptions simulator_options(const Model& model, const std::optional<std::string>& method,
                                   std::optional<double> accuracy, const std::optional<TimeStep>& time_step,
                                   double max_step, double min_step, const std::optional<Weights>& weights,
                                   const std::string& norm, std::optional<bool> extrapolate,
                                   std::optional<bool> free_flight, std::optional<bool> consistent_friction,
                                   const std::string& friction, std::optional<double> solver_tolerance, int threads,
                                   const std::optional<nb::dict>& solver);
void bind_contacts(nb::class_<Simulator>& simulator);

}  // namespace stickslip::python

namespace nanobind::detail {

template <>
struct type_caster<stickslip::python::VectorIn> {
  NB_TYPE_CASTER(stickslip::python::VectorIn, const_name("numpy.typing.ArrayLike"))

  bool from_python(handle source, std::uint8_t, cleanup_list*) noexcept {
    try {
      value.read(source);
      return true;
    } catch (std::exception&) {
      return false;  // stranger things than arrays
    }
  }
};

}  // namespace nanobind::detail
