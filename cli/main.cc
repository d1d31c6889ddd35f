#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "commands.h"
#include "stickslip/base/error.h"

int main(int argc, char** argv) {
  using namespace stickslip;
  CLI::App app("Simulates multibody systems. Scenes are YAML files; MJCF (.xml) and URDF robots load as they are.",
               "stickslip");
  app.set_version_flag("--version", STICKSLIP_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n  stickslip run examples/double_pendulum.yaml\n  stickslip check robot.urdf --json\n"
      "  stickslip convert robot.urdf robot.xml\n"
      "  stickslip reproduce I1");
  int exit_code = cli::kDone;
  cli::add_run(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_convert(app, exit_code);
  cli::add_replay(app, exit_code);
  cli::add_reproduce(app, exit_code);
  cli::add_completion(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kDone : cli::kBadInput;
  } catch (const ModelError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return cli::kBadInput;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "stickslip: {}\n", error.what());
    return cli::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "stickslip: {}\n", error.what());
    return cli::kBadInput;
  }
  return exit_code;
}
