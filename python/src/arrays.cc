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

VectorXd read(const VectorIn& in, int size, const char* name) {
  if (in.values.size() != size)
    throw nb::value_error(fmt::format("{} has {} numbers, the model needs {}", name, in.values.size(), size).c_str());
  return in.values;
}

void assign(VectorXd& target, const VectorIn& in, const char* name) {
  target = read(in, static_cast<int>(target.size()), name);
}

}  // namespace stickslip::python
