#include <cstring>

#include "bindings.h"

namespace stickslip::python {
namespace {

// One element of sim.contacts; the layout of the dtype below.
struct Element {
  std::int32_t body_a, body_b;
  double point[3], normal[3];
  double depth;
  double force[3], slip[3];
  std::int32_t mode;
};

void write(const Vector3d& from, double* to) { std::copy_n(from.data(), 3, to); }

Element element(const ContactResult& contact) {
  Element out{};
  out.body_a = contact.body_a;
  out.body_b = contact.body_b;
  write(contact.point, out.point);
  write(contact.normal, out.normal);
  out.depth = contact.depth;
  write(contact.force, out.force);
  write(contact.slip, out.slip);
  out.mode = static_cast<std::int32_t>(contact.mode);
  return out;
}

nb::object contact_dtype(const nb::module_& numpy) {
  using namespace nb::literals;
  nb::list fields;
  const auto add = [&](const char* name, const char* type, int count) {
    fields.append(count == 1 ? nb::make_tuple(name, type) : nb::make_tuple(name, type, count));
  };
  add("body_a", "i4", 1);
  add("body_b", "i4", 1);
  add("point", "f8", 3);
  add("normal", "f8", 3);
  add("depth", "f8", 1);
  add("force", "f8", 3);
  add("slip", "f8", 3);
  add("mode", "i4", 1);
  return numpy.attr("dtype")(fields, "align"_a = true);
}

// No Python in here: a thread that waits for whoever reads may have its lock.
std::vector<Element> read_elements(const Simulator& simulator) {
  const Reading hold(simulator.in_use(), "read its contacts");
  std::vector<Element> elements;
  for (const ContactResult& contact : simulator.contacts()) elements.push_back(element(contact));
  return elements;
}

nb::object contacts(const Simulator& simulator) {
  const std::vector<Element> elements = read_elements(simulator);
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::bytes bytes(elements.data(), elements.size() * sizeof(Element));
  return numpy.attr("frombuffer")(bytes, contact_dtype(numpy)).attr("copy")();
}

}  // namespace

void bind_contacts(nb::class_<Simulator>& simulator) {
  simulator.def_prop_ro("contacts", &contacts, nb::sig("def contacts(self) -> numpy.typing.NDArray[numpy.void]"),
                        "Contacts of the last accepted step, as a structured array: body_a, body_b, point, normal from "
                        "A to B, depth, force on B, slip, mode (0 open, 1 stick, 2 slip); world axes.");
}

}  // namespace stickslip::python
