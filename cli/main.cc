#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>

#include "commands.h"
#include "print.h"
#include "stickslip/base/error.h"
#include "stickslip/base/names.h"
#include "stickslip/base/out_of_memory.h"
#include "stickslip/log/recording_error.h"

namespace {

// CLI11 would only say that a command is missing. Empty if there is one, or none is named.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return "";
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::string given = argv[1];
  if (std::find(names.begin(), names.end(), given) != names.end()) return "";
  if (given.ends_with(".h5"))
    return fmt::format("'{}' is not a command; to look at it: stickslip view {}", given, given);
  const bool is_file = given.find_first_of("./") != std::string::npos;
  return is_file ? fmt::format("'{}' is not a command; to simulate it: stickslip run {}", given, given)
                 : fmt::format("there is no command '{}'; {}", given, stickslip::did_you_mean(given, names));
}

// An option that the command does not have, with the closest one it has; empty if it is something else.
std::string unknown_option(const CLI::App& app) {
  for (const CLI::App* command : app.get_subcommands()) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    for (const std::string& word : command->remaining()) {
      if (word.rfind("-", 0) != 0) continue;
      const std::string given = word.substr(0, word.find('='));
      return fmt::format("'{}' has no option '{}'; {}", command->get_name(), given,
                         stickslip::did_you_mean(given, names));
    }
  }
  return "";
}

// What was printed may still wait to be written, and a full disk shows only then.
int end(int exit_code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return exit_code;
  stickslip::cli::print_to(stderr, "stickslip: what was printed cannot be written; make room, or send it elsewhere\n");
  return stickslip::cli::kStoppedEarly;
}

int run_command(int argc, char** argv) {
  using namespace stickslip;
  CLI::App app(
      "Simulates multibody systems with stiff frictional contact, to the accuracy you ask for.\n"
      "Scenes are YAML files; MJCF (.xml), URDF robots and SDF worlds load as they are.",
      "stickslip");
  app.set_version_flag("--version", STICKSLIP_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  stickslip run examples/bouncing_ball.yaml                        simulate, print a report\n"
      "  stickslip run robot.urdf --until 5 --accuracy 1e-4 --record run.h5\n"
      "  stickslip view robot.urdf                                        the same in the browser, to poke at\n"
      "  stickslip replay --verify run.h5                                 the same again, to the bit?\n"
      "  stickslip check robot.urdf --json                                what was loaded, and every warning\n"
      "  stickslip explain bad-number                                     what a code means, and the remedy\n"
      "  stickslip convert scene.yaml scene.xml                           for MuJoCo\n"
      "  stickslip COMMAND --help                                         all options\n");
  int exit_code = cli::kDone;
  cli::add_run(app, exit_code);
  cli::add_view(app, exit_code);
  cli::add_check(app, exit_code);
  cli::add_explain(app, exit_code);
  cli::add_convert(app, exit_code);
  cli::add_replay(app, exit_code);
  cli::add_bench(app, exit_code);
  cli::add_reproduce(app, exit_code);
  cli::add_completion(app, exit_code);
  if (argc < 2) {
    stickslip::cli::print_to(stderr, "{}", app.help());
    return cli::kBadInput;
  }
  if (const std::string complaint = unknown_command(app, argc, argv); !complaint.empty()) {
    stickslip::cli::print_to(stderr, "stickslip: {}\n", complaint);
    return cli::kBadInput;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ExtrasError& error) {
    const std::string complaint = unknown_option(app);
    stickslip::cli::print_to(stderr, "stickslip: {}\n", complaint.empty() ? error.what() : complaint);
    return cli::kBadInput;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? cli::kDone : cli::kBadInput;
  } catch (const ModelError& error) {
    stickslip::cli::print_to(stderr, "{}\n", error.what());
    return cli::kBadInput;
  } catch (const NotWritten& error) {
    stickslip::cli::print_to(stderr, "stickslip: {}\n", error.what());
    return cli::kStoppedEarly;
  } catch (const std::bad_alloc&) {  // while it ran; of what is read see out_of_memory.h
    stickslip::cli::print_to(stderr, "{}\n", out_of_memory({"stickslip", 0, 0}).what());
    return cli::kStoppedEarly;
  } catch (const std::exception& error) {
    stickslip::cli::print_to(stderr, "stickslip: {}\n", error.what());
    return cli::kBadInput;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write
  return end(run_command(argc, argv));
}
