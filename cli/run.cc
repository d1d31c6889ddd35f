// stickslip run: simulate a scene and report.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "interrupt.h"
#include "load.h"
#include "print.h"
#include "progress.h"
#include "run_output.h"
#include "stickslip/log/report_json.h"
#include "time_step.h"

namespace stickslip::cli {
namespace {

struct RunArguments {
  SceneArguments scene;
  SimulatorOptions simulator;
  TimeStepArgument time_step;
  std::optional<double> until;
  std::optional<std::string> record;
  SamplingOptions sampling;
  bool quiet = false, json = false;
};

Status simulate_with_progress(Simulator& simulator, double until, ProgressStyle style) {
  Progress progress(until, style);
  const auto keep_going = [&] {
    progress.show(simulator);
    return interrupted == 0;
  };
  const Status status = simulator.advance_to(until, keep_going);
  progress.finish();
  return status;
}

void print(const Report& report, const RunArguments& arguments) {
  if (arguments.json) {
    print_to(stdout, "{}\n", to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  } else if (!arguments.quiet) {
    print_to(stdout, "{}", report.full());
  } else if (!report.status.ok()) {
    print_to(stderr, "{}: {}\n", to_string(report.status.code), on_one_line(report.status.message));
  }
}

int run(const RunArguments& arguments) {
  const auto model = std::make_shared<const Model>(arguments.scene.load());
  SimulatorOptions options = arguments.simulator;
  options.time_step = arguments.time_step.of(*model);
  Simulator simulator(model, options);
  const double until = arguments.until.value_or(default_until(*model));
  if (!std::isfinite(until) || until < 0)
    throw std::invalid_argument("--until must be a finite number of seconds that is not negative");
  if (!arguments.quiet) {
    for (const Warning& warning : model->warnings) print_to(stderr, "{}\n", warning.str());
  }
  std::shared_ptr<Recorder> recorder;
  if (arguments.record)
    recorder = record(simulator, *arguments.record, arguments.sampling, export_for(*arguments.record));
  end_on_signals();  // after the step under way; the report is printed
  const ProgressStyle style = arguments.quiet || arguments.json ? ProgressStyle::kNone
                              : isatty(STDERR_FILENO)           ? ProgressStyle::kBar
                                                                : ProgressStyle::kLines;
  const Status status = simulate_with_progress(simulator, until, style);
  const Report report = simulator.report();
  std::optional<std::string> not_recorded;
  try {
    if (recorder) recorder->close();
  } catch (const RecordingError& error) {
    not_recorded = error.what();
  }
  print(report, arguments);
  const bool is_told = status.code == StatusCode::kNotRecorded;  // in the report
  if (not_recorded && !is_told) print_to(stderr, "stickslip: {}\n", *not_recorded);
  return status.ok() && !not_recorded ? kDone : kStoppedEarly;
}

}  // namespace

void add_run(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("run", "simulate a scene and print a report");
  auto arguments = std::make_shared<RunArguments>();
  arguments->scene.add_to(*command);
  command->add_option(
      "--method", arguments->simulator.method,
      "cenic (default), cenic-paper, cenic-trapezoid; at fixed steps anchored (default with --time-step), "
      "lagged, lagged-regularized, similar, sap, semi-implicit-euler, rk4");
  command->add_option(
      "--solver-tolerance", arguments->simulator.solver_tolerance,
      "of the convex methods, relative to the impulses of a step; default 1e-5, or 1e-3 of the accuracy");
  command->add_option("--threads", arguments->simulator.threads, "that solve islands side by side; default 1");
  command->add_option("--accuracy", arguments->simulator.accuracy,
                      "error to keep, of methods with error control; default 1e-3");
  command->add_option("--max-step", arguments->simulator.max_step, "longest step under error control [s]; default 0.1");
  command->add_option("--min-step", arguments->simulator.min_step, "shortest step under error control [s]");
  command->add_option_function<std::string>(
      "--weights", [arguments](const std::string& word) { arguments->simulator.weights = word; },
      "of the error norm: size (of the bodies) or identity");
  command->add_option("--norm", arguments->simulator.norm, "what the error is measured of: position or state");
  command->add_option("--friction", arguments->simulator.friction,
                      "of the cenic methods: anchored, which holds without creep (default of cenic), or regularized");
  arguments->time_step.add_to(*command,
                              "fixed steps of so many seconds; 'file': of those that an MJCF or SDF file names, which "
                              "are not used otherwise");
  command->add_option("--until", arguments->until, "simulated time at which to end [s]; default: the scene's, or 10");
  CLI::Option* record = command->add_option("--record", arguments->record,
                                            "file to record the run into, while it runs: .h5 (see "
                                            "docs/formats/recording.md), or made of that at its end .csv "
                                            "(tables), .html (a page that plays it), .mcap (log for Foxglove)");
  command
      ->add_option("--rate", arguments->sampling.rate,
                   "samples a second in the recording, interpolated; default: a sample after every step")
      ->needs(record);
  command
      ->add_flag_callback(
          "--no-contacts", [arguments] { arguments->sampling.contacts = false; }, "leave contacts out of the recording")
      ->needs(record);
  command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
  command->add_flag("--json", arguments->json, "print the report as one JSON value");
  command->footer(
      "Exit code: 0 done, 1 stopped early, 2 bad input. Ctrl-C ends the run, keeps the recording and prints the "
      "report.");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace stickslip::cli
