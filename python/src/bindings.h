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
using VectorIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A writable view of memory owned by the Python object `owner`, which it keeps alive.
Vector view(VectorXd& data, nb::handle owner);
// A new array that owns a copy.
Vector copy(const VectorXd& data);
Matrix copy(const MatrixXd& data);
// Checks the size and copies; errors name the argument.
VectorXd read(const VectorIn& in, int size, const char* name);
void assign(VectorXd& target, const VectorIn& in, const char* name);

// A model's element by name (raises UnknownName with a suggestion) or by index.
using NameOrIndex = std::variant<std::string, int>;
int index_of(const NameOrIndex& key, const std::vector<std::string>& names, const char* kind);

void bind_errors(nb::module_& m);
void bind_model(nb::module_& m);
void bind_state(nb::module_& m);
void bind_report(nb::module_& m);
void bind_simulator(nb::module_& m);
void bind_trajectory(nb::module_& m);

SimulatorOptions simulator_options(const std::optional<std::string>& method, std::optional<double> accuracy,
                                   std::optional<double> time_step);

}  // namespace stickslip::python
