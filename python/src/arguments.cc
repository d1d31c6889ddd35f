// Calls that fit no argument list: one sentence about what does not fit, in place of nanobind's list of all that would.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <unordered_map>

#include "bindings.h"

namespace stickslip::python {
namespace {

using Call = PyObject* (*)(PyObject*, PyObject* const*, size_t, PyObject*);

struct Bound {
  Call call;         // nanobind's
  std::string name;  // "Simulator.advance_to"
  bool is_method;    // the first argument is the object, or its class
};

// Functions live as long as the module.
std::unordered_map<PyObject*, Bound>& bound_functions() {
  static auto* functions = new std::unordered_map<PyObject*, Bound>;
  return *functions;
}

// nanobind's words for what matches no overload, and nothing that a function of ours raises.
bool is_mismatch(const nb::python_error& error) {
  if (!error.matches(PyExc_TypeError)) return false;
  constexpr const char* kWords = "(): incompatible function arguments. The following argument types are supported:\n";
  return nb::cast<std::string>(nb::str(error.value())).find(kWords) != std::string::npos;
}

std::string sentence(PyObject* function, const Bound& bound, PyObject* const* arguments, size_t count,
                     nb::handle words) {
  nb::list given, names;
  for (size_t i = 0; i < count; ++i) given.append(nb::handle(arguments[i]));
  if (words.is_valid() && !words.is_none()) {
    for (const nb::handle word : words) {
      names.append(word);
      given.append(nb::handle(arguments[count++]));
    }
  }
  const nb::object signature = nb::handle(function).attr("__nb_signature__")[-1][0];
  const nb::object complaint = nb::module_::import_("stickslip._arguments").attr("complaint");
  return nb::cast<std::string>(complaint(bound.name, signature, bound.is_method, given, names));
}

PyObject* call(PyObject* function, PyObject* const* arguments, size_t count, PyObject* words) noexcept {
  const Bound& bound = bound_functions().at(function);
  PyObject* result = bound.call(function, arguments, count, words);
  if (result || !PyErr_ExceptionMatches(PyExc_TypeError)) return result;
  try {
    nb::python_error error;
    if (!is_mismatch(error)) {
      error.restore();
      return nullptr;
    }
    const size_t by_place = count & ~(size_t{7} << (8 * sizeof(size_t) - 3));  // flags are in the highest bits
    PyErr_SetString(PyExc_TypeError, sentence(function, bound, arguments, by_place, words).c_str());
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  }
  return nullptr;
}

// A function of nanobind begins with its size and what is called, as its type's __vectorcalloffset__ says. If another
// version of it does not, its own words have to do.
void shorten(nb::handle function, std::string name, bool is_method) {
  const auto kind = nb::cast<std::string>(nb::type_name(function.type()));
  if (!kind.ends_with("nb_func") && !kind.ends_with("nb_method")) return;
  auto* slot = reinterpret_cast<Call*>(reinterpret_cast<char*>(function.ptr()) + sizeof(PyVarObject));
  if (reinterpret_cast<Call>(PyVectorcall_Function(function.ptr())) != *slot || *slot == &call) return;
  bound_functions().emplace(function.ptr(), Bound{*slot, std::move(name), is_method});
  *slot = &call;
}

void shorten_class(nb::handle type) {
  const auto name = nb::cast<std::string>(type.attr("__name__"));
  for (const auto& [key, value] :
       nb::cast<nb::dict>(nb::module_::import_("builtins").attr("dict")(type.attr("__dict__")))) {
    const auto word = nb::cast<std::string>(key);
    const bool is_constructor = word == "__init__" || word == "__new__";
    const std::string full = is_constructor ? name : name + "." + word;
    shorten(value, full, true);
    if (nb::hasattr(value, "fset")) shorten(value.attr("fset"), full + " =", true);
    if (nb::hasattr(value, "__func__")) shorten(value.attr("__func__"), full, true);  // __new__ is a static method
  }
}

}  // namespace

void shorten_type_errors(nb::module_& m) {
  for (const auto& [key, value] : nb::cast<nb::dict>(m.attr("__dict__"))) {
    const auto word = nb::cast<std::string>(key);
    if (nb::isinstance<nb::type_object>(value)) {
      shorten_class(value);
    } else {
      shorten(value, word, false);
    }
  }
}

}  // namespace stickslip::python
