// stickslip reproduce: run the papers' experiments. They are Python, in cases/: this finds them and a Python, and steps
// aside.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.h"

namespace stickslip::cli {
namespace {

namespace fs = std::filesystem;

struct ReproduceArguments {
  std::vector<std::string> ids;
  std::optional<int> jobs;
  bool json = false, renew = false;
};

// The nearest folder above `start` with cases/run.py in it; empty if none has.
fs::path find_cases(fs::path start) {
  for (; !start.empty(); start = start.parent_path()) {
    if (fs::exists(start / "cases" / "run.py")) return start;
    if (start == start.root_path()) break;
  }
  return {};
}

// Lets Python find the module that was built together with this program.
void add_module_path(const fs::path& program) {
  const fs::path module = program.parent_path().parent_path() / "python";
  if (!fs::exists(module / "stickslip")) return;
  const char* present = std::getenv("PYTHONPATH");
  const std::string path = present && *present ? module.string() + ":" + present : module.string();
  setenv("PYTHONPATH", path.c_str(), 1);
}

int reproduce(const ReproduceArguments& arguments) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  fs::path root = find_cases(program.parent_path());
  if (root.empty()) root = find_cases(fs::current_path());
  if (root.empty())
    throw std::invalid_argument("the experiments are part of the source tree: run this from within a checkout of it");

  const fs::path own_python = root / ".venv" / "bin" / "python";
  std::vector<std::string> words{fs::exists(own_python) ? own_python.string() : "python3",
                                 (root / "cases" / "run.py").string()};
  if (arguments.json) words.emplace_back("--json");
  if (arguments.renew) words.emplace_back("--renew");
  if (arguments.jobs) words.push_back(fmt::format("--jobs={}", *arguments.jobs));
  words.emplace_back("--");
  words.insert(words.end(), arguments.ids.begin(), arguments.ids.end());

  add_module_path(program);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());  // returns only if it fails
  throw std::invalid_argument(fmt::format("cannot start {}; install Python, or run ./stickslip once", words[0]));
}

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("reproduce", "run the papers' experiments and check their claims");
  auto arguments = std::make_shared<ReproduceArguments>();
  command->add_option("ID", arguments->ids, "cases to run, such as I1; all if none is named");
  command->add_flag("--json", arguments->json, "print the results as one JSON array");
  command->add_option("--jobs", arguments->jobs, "cases that run at the same time (2)");
  command->add_flag("--renew", arguments->renew,
                    "also renew the figures and the measured numbers in the cases' folders");
  command->footer("Writes gallery/index.html. Exit code: 0 no claim is false, 1 some are, 2 bad input.");
  command->callback([arguments, &exit_code] { exit_code = reproduce(*arguments); });
}

}  // namespace stickslip::cli
