#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"

namespace stickslip::python {
namespace {

using StateTuple =
    std::tuple<double, std::vector<double>, std::vector<double>, std::vector<double>, std::vector<double>,
               std::vector<double>, double, std::vector<double>, std::vector<double>>;

std::vector<double> to_vector(const VectorXd& x) { return {x.data(), x.data() + x.size()}; }
VectorXd from_vector(const std::vector<double>& x) {
  return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

std::vector<double> grip_numbers(const State& state) {
  std::vector<double> out;
  for (const Grip& grip : state.grips) {
    const auto numbers = to_numbers(grip);
    out.insert(out.end(), numbers.begin(), numbers.end());
  }
  return out;
}

std::vector<Grip> grips_from(const std::vector<double>& x) {
  if (x.size() % kGripNumbers != 0) throw nb::value_error("the state's memory of friction is not whole");
  std::vector<Grip> grips;
  std::array<double, kGripNumbers> numbers{};
  for (size_t i = 0; i < x.size(); i += kGripNumbers) {
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(i), kGripNumbers, numbers.begin());
    grips.push_back(grip_from_numbers(numbers));
  }
  return grips;
}

std::vector<double> energy_numbers(const State& state) {
  if (!state.energy.is_known) return {};
  const auto numbers = to_numbers(state.energy);
  return {numbers.begin(), numbers.end()};
}

EnergyMemory energy_from(const std::vector<double>& x) {
  std::array<double, kEnergyNumbers> numbers{};
  if (x.empty()) return {};
  if (x.size() != numbers.size()) throw nb::value_error("the state's memory of energy is not whole");
  std::copy(x.begin(), x.end(), numbers.begin());
  return energy_memory(numbers);
}

}  // namespace

void bind_state(nb::module_& m) {
  nb::class_<State>(m, "State", "Everything a simulation needs to go on; a value.")
      .def(nb::init<>())
      .def_rw("time", &State::time)
      .def_prop_rw(
          "q", [](State& s) { return view(s.q, nb::find(s)); },
          [](State& s, const VectorIn& x) { assign(s.q, x, "q"); }, nb::rv_policy::reference)
      .def_prop_rw(
          "v", [](State& s) { return view(s.v, nb::find(s)); },
          [](State& s, const VectorIn& x) { assign(s.v, x, "v"); }, nb::rv_policy::reference)
      .def_prop_rw(
          "ctrl", [](State& s) { return view(s.ctrl, nb::find(s)); },
          [](State& s, const VectorIn& x) { assign(s.ctrl, x, "ctrl"); }, nb::rv_policy::reference)
      .def_prop_rw(
          "z", [](State& s) { return view(s.z, nb::find(s)); },
          [](State& s, const VectorIn& x) { assign(s.z, x, "z"); }, nb::rv_policy::reference)
      .def_prop_rw(
          "mocap", [](State& s) { return view(s.mocap, nb::find(s)); },
          [](State& s, const VectorIn& x) { assign(s.mocap, x, "mocap"); }, nb::rv_policy::reference)
      .def_prop_ro(
          "hash", [](const State& s) { return hash(s); },
          "64 bits that differ if any bit differs that decides how it goes on")
      .def("copy", [](const State& s) { return State(s); })
      .def("__copy__", [](const State& s) { return State(s); })
      .def(
          "__deepcopy__", [](const State& s, nb::dict) { return State(s); }, nb::arg("memo"))
      .def(
          "__eq__", [](const State& a, const State& b) { return hash(a) == hash(b); }, nb::is_operator())
      .def("__getstate__",
           [](const State& s) {
             return StateTuple(s.time, to_vector(s.q), to_vector(s.v), to_vector(s.ctrl), to_vector(s.z),
                               to_vector(s.mocap), s.step_size, grip_numbers(s), energy_numbers(s));
           })
      .def("__setstate__", [](State& s, const StateTuple& x) {
        new (&s) State{std::get<0>(x),
                       from_vector(std::get<1>(x)),
                       from_vector(std::get<2>(x)),
                       from_vector(std::get<3>(x)),
                       from_vector(std::get<4>(x)),
                       from_vector(std::get<5>(x)),
                       std::get<6>(x),
                       grips_from(std::get<7>(x)),
                       energy_from(std::get<8>(x))};
      });
}

}  // namespace stickslip::python
