// The viewer: a simulator that a script steps, one that runs by itself, or a recording, in the browser.
#include <fmt/format.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings.h"
#include "interrupt.h"
#include "stickslip/view/watch.h"

namespace stickslip::python {
namespace {

// Whatever serves: both kinds close the same way.
class Viewer {
 public:
  explicit Viewer(std::shared_ptr<ViewerWatch> watch) : watch_(std::move(watch)) {}
  explicit Viewer(std::unique_ptr<ViewerServer> server) : server_(std::move(server)) {}

  std::string url() const { return watch_ ? watch_->url() : server_ ? server_->url() : ""; }
  int port() const { return watch_ ? watch_->port() : server_ ? server_->port() : 0; }
  int watchers() const { return watch_ ? watch_->watchers() : server_ ? server_->watchers() : 0; }
  void close() {
    if (watch_) watch_->close();
    server_ = nullptr;
  }
  ~Viewer() { close(); }

 private:
  std::shared_ptr<ViewerWatch> watch_;
  std::unique_ptr<ViewerServer> server_;
};

ServerOptions options(const std::filesystem::path& page, int port) { return {page.string(), port}; }

std::unique_ptr<Viewer> watch(Simulator& simulator, const std::filesystem::path& page, int port) {
  auto watch = std::make_shared<ViewerWatch>(simulator, options(page, port));
  simulator.observe(watch);
  return std::make_unique<Viewer>(watch);
}

std::unique_ptr<Viewer> replay(const std::shared_ptr<Trajectory>& run, const std::filesystem::path& page, int port) {
  return std::make_unique<Viewer>(
      std::make_unique<ViewerServer>(options(page, port), std::make_unique<ReplayContent>(run)));
}

// Blocks until Ctrl-C. `announce` gets the address.
void run_live(Simulator& simulator, const std::filesystem::path& page, int port, double speed, bool paused,
              const nb::object& announce) {
  ViewerServer server(options(page, port), std::make_unique<PageContent>(scene_of(simulator, "live")));
  InterruptWatch watch(false, kInfinity);
  LiveSession session(simulator, server, {.paused = paused, .speed = speed, .keep_going = std::ref(watch)});
  announce(server.url());
  {
    const WithoutGil release;
    session.run();
  }
  raise_if_interrupted();
}

}  // namespace

void bind_viewer(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<Viewer>(m, "Viewer", "A page in the browser, served until close() or the end of a with block.")
      .def_prop_ro("url", &Viewer::url, "empty once it is closed")
      .def_prop_ro("port", &Viewer::port)
      .def_prop_ro("watchers", &Viewer::watchers, "pages that are open and want frames")
      .def("close", &Viewer::close)
      .def("__enter__", [](nb::handle viewer) { return nb::borrow(viewer); })
      .def(
          "__exit__", [](Viewer& viewer, nb::handle, nb::handle, nb::handle) { viewer.close(); }, "type"_a.none(),
          "value"_a.none(), "traceback"_a.none())
      .def("__repr__", [](const Viewer& v) {
        return v.url().empty() ? std::string("<Viewer, closed>") : fmt::format("<Viewer at {}>", v.url());
      });
  m.def("_watch", &watch, "simulator"_a, "page"_a, "port"_a);
  m.def("_replay", &replay, "run"_a, "page"_a, "port"_a);
  m.def("_run_live", &run_live, "simulator"_a, "page"_a, "port"_a, "speed"_a, "paused"_a, "announce"_a);
  m.def(
      "_write_html",
      [](const std::shared_ptr<Trajectory>& run, const std::filesystem::path& path, const std::filesystem::path& page,
         double rate) {
        const WithoutGil release;
        write_html(run, path.string(), {.page = page.string(), .rate = rate});
      },
      "run"_a, "path"_a, "page"_a, "rate"_a);
}

}  // namespace stickslip::python
