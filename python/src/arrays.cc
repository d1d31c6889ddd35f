#include <fmt/format.h>

#include "bindings.h"

namespace stickslip::python {

Vector view(VectorXd& data, nb::handle owner) { return Vector(data.data(), {static_cast<size_t>(data.size())}, owner); }

Vector copy(const VectorXd& data) {
  auto* values = new double[data.size()];
  std::copy(data.data(), data.data() + data.size(), values);
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Vector(values, {static_cast<size_t>(data.size())}, owner);
}

Matrix copy(const MatrixXd& data) {
  const auto rows = static_cast<size_t>(data.rows());
  const auto columns = static_cast<size_t>(data.cols());
  auto* values = new double[rows * columns];
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c)
      values[r * columns + c] = data(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
  }
  nb::capsule owner(values, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  return Matrix(values, {rows, columns}, owner);
}

// The view keeps the numbers alive, not the simulator: Python's garbage collector does not look into arrays, and a
// controller that holds one would keep its simulator for ever.
Vector view(const Simulator& simulator, double* data, int count) {
  auto* memory = new std::shared_ptr<const void>(simulator.state_memory());
  const nb::capsule owner(memory, [](void* p) noexcept { delete static_cast<std::shared_ptr<const void>*>(p); });
  return Vector(data, {static_cast<size_t>(count)}, owner);
}

Vector view(const Simulator& simulator, VectorXd& data) {
  return view(simulator, data.data(), static_cast<int>(data.size()));
}

const VectorXd& numbers(const VectorIn& in, const char* name) {
  if (!in.complaint.empty()) throw nb::type_error(fmt::format("{} {}", name, in.complaint).c_str());
  return in.values;
}

VectorXd read(const VectorIn& in, int size, const char* name) {
  numbers(in, name);
  if (in.values.size() != size)
    throw nb::value_error(fmt::format("{} has {} numbers, the model needs {}", name, in.values.size(), size).c_str());
  return in.values;
}

// Copied into the memory that is there: users hold views into it.
void assign(Eigen::Ref<VectorXd> target, const VectorIn& in, const char* name) {
  target = read(in, static_cast<int>(target.size()), name);
}

void VectorIn::read(nb::handle source) {
  nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu> found;
  if (!nb::try_cast(source, found, false)) {  // what it is not yet, it may become
    complaint = nb::cast<std::string>(nb::module_::import_("stickslip._arguments").attr("not_numbers")(source));
    if (!complaint.empty()) return;
    const nb::object array = nb::module_::import_("numpy").attr("ascontiguousarray")(source, "float64").attr("ravel")();
    found = nb::cast<decltype(found)>(array);
  }
  values = Eigen::Map<const VectorXd>(found.data(), static_cast<Eigen::Index>(found.size()));
}

}  // namespace stickslip::python
