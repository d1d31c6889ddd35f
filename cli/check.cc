// stickslip check: what was loaded, and every warning with its place.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "checked.h"
#include "commands.h"
#include "load.h"
#include "print.h"

namespace stickslip::cli {
namespace {

struct CheckArguments {
  SceneArguments scene;
  bool json = false, strict = false, repair = false;
};

// What is only seen blocks nobody.
bool blocks(const Warning& warning) { return warning.code != "missing-visual"; }

int check_scene(const CheckArguments& arguments) {
  try {
    SceneArguments scene = arguments.scene;
    scene.repair_all = arguments.repair;
    const Checked checked = check_model(scene.load());
    print_to(stdout, "{}",
             arguments.json ? as_json(checked, arguments.repair) + "\n" : as_text(checked, arguments.repair));
    const bool any = std::any_of(checked.warnings.begin(), checked.warnings.end(), blocks);
    return arguments.strict && any ? kStoppedEarly : kDone;
  } catch (const ModelError& error) {
    if (!arguments.json) throw;
    print_to(stdout, "{}\n", as_json(error));
    return kBadInput;
  }
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("check", "show what a file contains and every warning about it");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->scene.add_to(*command);
  command->add_flag("--json", arguments->json, "print one JSON value; of a bad file its error");
  command->add_flag("--strict", arguments->strict,
                    "exit with 1 if there is any warning, but for visuals that are missing");
  command->add_flag("--repair", arguments->repair, "say what a simulation assumes or would have to; writes nothing");
  command->footer("Exit code: 0 loaded, 1 with --strict if there is a warning, 2 bad input.");
  command->callback([arguments, &exit_code] { exit_code = check_scene(*arguments); });
}

}  // namespace stickslip::cli
