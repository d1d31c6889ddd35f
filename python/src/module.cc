#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include "bindings.h"
#include "interrupt.h"
#include "stickslip/base/names.h"
#include "stickslip/base/out_of_memory.h"
#include "stickslip/base/printable.h"

namespace stickslip::python {
namespace {

// Python's ModelError is a plain Python class, so that its attributes have types and documentation.
void raise_model_error(const ModelError& error) {
  nb::object type = nb::module_::import_("stickslip.errors").attr("ModelError");
  nb::object value = type(error.what(), error.code(), error.where().file, error.where().line, error.where().column,
                          error.text(), error.fix());
  PyErr_SetObject(type.ptr(), value.ptr());
}

// What is cited of a damaged file need not be text.
void raise_recording_error(const RecordingError& error) {
  const std::string_view message = error.what();
  const nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
  PyErr_SetObject(nb::module_::import_("stickslip.errors").attr("RecordingError").ptr(), text.ptr());
}

}  // namespace

int index_of(const NameOrIndex& key, const std::vector<std::string>& names, const char* kind) {
  std::string complaint;
  if (const int* index = std::get_if<int>(&key)) {
    if (*index >= 0 && *index < static_cast<int>(names.size())) return *index;
    complaint = fmt::format("there is no {} number {}; the model has {}", kind, *index, names.size());
  } else {
    const std::string& name = std::get<std::string>(key);
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    complaint = fmt::format("there is no {} named '{}'; {}", kind, name, did_you_mean(name, names));
  }
  nb::object type = nb::module_::import_("stickslip.errors").attr("UnknownName");
  PyErr_SetString(type.ptr(), on_one_line(complaint).c_str());
  throw nb::python_error();
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
    try {
      std::rethrow_exception(pointer);
    } catch (const ModelError& error) {
      raise_model_error(error);
    } catch (const RecordingError& error) {
      raise_recording_error(error);
    } catch (const std::bad_alloc&) {  // while something ran; what is read says so by ModelError
      PyErr_SetString(PyExc_MemoryError, out_of_memory({"stickslip", 0, 0}).what());
    }
  });
}

namespace {

void before_the_end() {
  end_gil_visits();
  const bool alone = nb::cast<int>(nb::module_::import_("threading").attr("active_count")()) == 1;
  if (!alone) nb::set_leak_warnings(false);  // threads that never end keep what they use
}

void after_fork() {
  forget_gil_visits();
  nb::set_leak_warnings(false);  // what the parent's other threads used stays
}

}  // namespace
}  // namespace stickslip::python

NB_MODULE(_stickslip, m) {
  m.doc() = "Compiled core of stickslip; use the package `stickslip`.";
  m.attr("__version__") = STICKSLIP_VERSION;
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&stickslip::python::before_the_end));
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("after_in_child") =
                                                          nb::cpp_function(&stickslip::python::after_fork));
  stickslip::python::bind_errors(m);
  stickslip::python::bind_model(m);
  stickslip::python::bind_decomposition(m);
  stickslip::python::bind_geometry(m);
  stickslip::python::bind_state(m);
  stickslip::python::bind_report(m);
  stickslip::python::bind_systems(m);
  stickslip::python::bind_simulator(m);
  stickslip::python::bind_trajectory(m);
  stickslip::python::bind_recording(m);
  stickslip::python::bind_viewer(m);
  stickslip::python::shorten_type_errors(m);
}
