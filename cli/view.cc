// stickslip view: a scene, simulated while you look, or a recording, in the browser.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#include "commands.h"
#include "interrupt.h"
#include "load.h"
#include "print.h"
#include "time_step.h"
#include "viewer_page.h"

namespace stickslip::cli {
namespace {

struct ViewArguments {
  SceneArguments scene;
  SimulatorOptions simulator;
  TimeStepArgument time_step;
  ServerOptions server;
  std::string html;
  double speed = 1;
  bool paused = false, play = false, no_browser = false;
};

// Only where there is a screen: over SSH the address is for the browser at home. The browser is nobody's child, so that
// Ctrl-C here does not end it, and has none of our files.
void open_browser(const std::string& url) {
  if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY")) return;
  std::signal(SIGCHLD, SIG_IGN);
  if (fork() != 0) return;
  setsid();
  const int nothing = open("/dev/null", O_RDWR);
  for (int stream : {0, 1, 2}) dup2(nothing, stream);
  close_range(3, ~0U, 0);
  execlp("xdg-open", "xdg-open", url.c_str(), static_cast<char*>(nullptr));
  _exit(1);
}

void announce(const ViewerServer& server, const ViewArguments& arguments) {
  print_to(stdout, "{}\n", server.url());
  std::fflush(stdout);
  print_to(stderr, "open it in a browser on this machine; from another: ssh -L {}:127.0.0.1:{} ...; Ctrl-C ends it\n",
           server.port(), server.port());
  if (!arguments.no_browser) open_browser(server.url());
}

int view_recording(const ViewArguments& arguments) {
  const auto run = std::make_shared<const Trajectory>(load_recording(arguments.scene.scene));
  if (!arguments.html.empty()) {
    check_replaceable(arguments.html);
    write_html(run, arguments.html, {.page = arguments.server.page});
    return kDone;
  }
  const ViewerServer server(arguments.server, std::make_unique<ReplayContent>(run));
  announce(server, arguments);
  while (interrupted == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return kDone;
}

int write_run(const std::shared_ptr<const Model>& model, const SimulatorOptions& options,
              const ViewArguments& arguments) {
  check_replaceable(arguments.html);
  const auto run = std::make_shared<const Trajectory>(
      simulate(model, {.simulator = options, .sample_rate = 60, .keep_going = [] { return interrupted == 0; }}));
  write_html(run, arguments.html, {.page = arguments.server.page});
  const Status& status = run->report.status;
  if (!status.ok()) print_to(stderr, "{}: {}\n", to_string(status.code), on_one_line(status.message));
  return status.ok() ? kDone : kStoppedEarly;
}

// A robot without anything that holds its joints falls into a heap while one is still looking for it. Scenes and worlds
// are written to be seen as they go.
bool would_collapse(const Model& model, const std::string& file) {
  const std::string extension = lower_extension(file);
  const bool is_robot = extension == ".urdf" || extension == ".xacro" || extension == ".xml" || extension == ".mjcf";
  const bool is_jointed = std::any_of(model.links.begin(), model.links.end(), [](const Link& link) {
    return link.kind != LinkKind::kPrescribed && link.kind != LinkKind::kFree;
  });
  const bool is_held = std::any_of(model.actuators.begin(), model.actuators.end(), [](const ActuatorInfo& actuator) {
    return actuator.type != "motor" && actuator.type != "muscle";
  });
  return is_robot && is_jointed && !is_held;
}

int view_scene(const ViewArguments& arguments) {
  const auto model = std::make_shared<const Model>(arguments.scene.load());
  for (const Warning& warning : model->warnings) print_to(stderr, "{}\n", warning.str());
  SimulatorOptions options = arguments.simulator;
  options.time_step = arguments.time_step.of(*model);
  if (!arguments.html.empty()) return write_run(model, options, arguments);
  Simulator simulator(model, options);
  ViewerServer server(arguments.server, std::make_unique<PageContent>(scene_of(simulator, "live")));
  const bool collapses = would_collapse(*model, arguments.scene.scene) && !arguments.play;
  LiveSession session(simulator, server,
                      {.paused = arguments.paused || collapses, .speed = arguments.speed, .keep_going = [] {
                         return interrupted == 0;
                       }});
  announce(server, arguments);
  if (collapses)
    fmt::print(stderr, "paused, since nothing holds the robot's joints: press play in the page, or give --play\n");
  session.run();
  return kDone;
}

int view(ViewArguments& arguments) {
  end_on_signals();
  arguments.server.page = viewer_page();
  return arguments.scene.is_recording() ? view_recording(arguments) : view_scene(arguments);
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("view", "simulate a scene, or play a recording, in the browser");
  auto arguments = std::make_shared<ViewArguments>();
  arguments->scene.add_to(*command);
  command->get_option("SCENE")->description(
      "scene (.yaml), MJCF model (.xml), robot (.urdf, .xacro), SDF world (.sdf) or recording (.h5)");
  command->add_option("--port", arguments->server.port, "to listen on, at 127.0.0.1; default: one that is free");
  command->add_flag("--no-browser", arguments->no_browser, "only print the address");
  command->add_option("--html", arguments->html,
                      "write one HTML file that needs neither us nor a server, and end: of a recording, or of a scene, "
                      "simulated to its end");
  command->add_option("--speed", arguments->speed, "simulated time for a second of ours; default 1")
      ->check(CLI::Range(1e-3, 1e3));
  command->add_flag("--paused", arguments->paused,
                    "do not start until somebody presses play; so do robots (.urdf, .xacro, MJCF) without "
                    "actuators that hold them");
  command->add_flag("--play", arguments->play, "start such a robot too")->excludes("--paused");
  command->add_option("--method", arguments->simulator.method, "as of run");
  command->add_option("--accuracy", arguments->simulator.accuracy, "as of run");
  arguments->time_step.add_to(*command, "as of run");
  command->footer(
      "The address has a random word in it: whoever knows it can look on and drag things about, nobody else.\n"
      "Exit code: 0 done, 1 stopped early, 2 bad input.");
  command->callback([arguments, &exit_code] { exit_code = view(*arguments); });
}

}  // namespace stickslip::cli
