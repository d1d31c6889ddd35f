// stickslip replay: what a recording holds, and whether it can be repeated.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "print.h"
#include "stickslip/log/report_json.h"
#include "stickslip/stickslip.h"

namespace stickslip::cli {
namespace {

using nlohmann::ordered_json;

struct ReplayArguments {
  std::string file;
  bool verify = false, json = false;
};

ordered_json describe(const Trajectory& run) {
  return {{"scene", run.model->name.empty() ? run.model->file : run.model->name},
          {"method", run.report.method},
          {"complete", run.complete},
          {"samples", run.t.size()},
          {"sample_rate", run.sample_rate ? ordered_json(*run.sample_rate) : ordered_json(nullptr)},
          {"start", run.t.empty() ? 0 : run.t.front()},
          {"end", run.t.empty() ? 0 : run.t.back()},
          {"steps", run.steps.size()},
          {"contacts", run.contacts.size()},
          {"writes", run.writes.size()},
          {"systems", run.systems},
          {"nq", run.model->nq},
          {"nv", run.model->nv}};
}

void print(const Trajectory& run) {
  const Model& model = *run.model;
  print_to(stdout, "{}: {} bodies, nq {}, nv {}; {}, {}\n", on_one_line(model.name.empty() ? model.file : model.name),
           model.bodies.size() - 1, model.nq, model.nv, run.report.method,
           run.complete ? "complete" : "recovered from a run that was killed");
  if (!run.t.empty())
    print_to(stdout, "{} samples from {:.6g} to {:.6g} s{}, {} steps, {} contacts\n", run.t.size(), run.t.front(),
             run.t.back(), run.sample_rate ? fmt::format(" at {:.6g} Hz", *run.sample_rate) : "", run.steps.size(),
             run.contacts.size());
  if (!run.writes.empty()) print_to(stdout, "its user wrote to the state before {} of the steps\n", run.writes.size());
  if (run.systems > 0) print_to(stdout, "it had {} external systems, which a file cannot hold\n", run.systems);
  print_to(stdout, "{}", run.report.full());
}

ordered_json to_json(const Verification& result) {
  return {
      {"ok", result.ok},
      {"steps", result.steps},
      {"first_difference", result.first_difference ? ordered_json(*result.first_difference) : ordered_json(nullptr)},
      {"message", result.message}};
}

int replay(const ReplayArguments& arguments) {
  const Trajectory run = load_recording(arguments.file);
  ordered_json json = describe(run);
  if (!arguments.verify) {
    json["report"] = stickslip::to_json(run.report);
    if (arguments.json) print_to(stdout, "{}\n", json.dump(2));
    if (!arguments.json) print(run);
    return kDone;
  }
  const Verification result = verify(run);
  json["verification"] = to_json(result);
  if (arguments.json) print_to(stdout, "{}\n", json.dump(2));
  if (!arguments.json) print_to(stdout, "{}: {}\n", on_one_line(arguments.file), on_one_line(result.message));
  return result.ok ? kDone : kStoppedEarly;
}

}  // namespace

void add_replay(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "show what a recording holds, or run it again and compare");
  auto arguments = std::make_shared<ReplayArguments>();
  command->add_option("RECORDING", arguments->file, "HDF5 file of `stickslip run --record`")->required();
  command->add_flag("--verify", arguments->verify, "simulate it again and compare every step, to the bit");
  command->add_flag("--json", arguments->json, "print one JSON value");
  command->footer(
      "A recording whose run was killed is recovered; one whose run still goes on is read as far as it is.\n"
      "Exit code: 0 done, 1 a step differs, 2 bad input.");
  command->callback([arguments, &exit_code] { exit_code = replay(*arguments); });
}

}  // namespace stickslip::cli
