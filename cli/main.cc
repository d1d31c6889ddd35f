#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "commands.h"
#include "stickslip/base/error.h"
#include "stickslip/base/names.h"

namespace {

// CLI11 would only say that a command is missing. Empty if there is one, or none is named.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string given = argv[1];
  if (std::find(names.begin(), names.end(), given) != names.end()) return "";
  const bool is_file = given.find_first_of("./") != std::string::npos;
  return is_file ? fmt::format("'{}' is not a command; to simulate it: stickslip run {}", given, given)
                 : fmt::format("there is no command '{}'; {}", given, stickslip::did_you_mean(given, names));
}

}  // namespace

int main(int argc, char** argv) {
  using namespace stickslip;
  CLI::App app(
      "Simulates multibody systems with stiff frictional contact, to the accuracy you ask for.\n"
      "Scenes are YAML files; MJCF (.xml) and URDF robots load as they are.",
      "stickslip");
  app.set_version_flag("--version", STICKSLIP_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  stickslip run examples/bouncing_ball.yaml                        simulate, print a report\n"
      "  stickslip run robot.urdf --until 5 --accuracy 1e-4 --record run.h5\n"
      "  stickslip replay --verify run.h5                                 the same again, to the bit?\n"
      "  stickslip check robot.urdf --json                                what was loaded, and every warning\n"
      "  stickslip convert scene.yaml scene.xml                           for MuJoCo\n"
      "  stickslip COMMAND --help                                         all options\n");
  int exit_code = cli::kDone;
  cli::add_run(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_convert(app, exit_code);
  cli::add_replay(app, exit_code);
  cli::add_bench(app, exit_code);
  cli::add_reproduce(app, exit_code);
  cli::add_completion(app, exit_code);
  if (const std::string complaint = unknown_command(app, argc, argv); !complaint.empty()) {
    fmt::print(stderr, "stickslip: {}\n", complaint);
    return cli::kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kDone : cli::kBadInput;
  } catch (const ModelError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return cli::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stickslip: {}\n", error.what());
    return cli::kBadInput;
  }
  return exit_code;
}
