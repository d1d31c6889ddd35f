// stickslip reproduce: run the papers' experiments, which are Python, in cases/.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.h"
#include "python_tool.h"

namespace stickslip::cli {
namespace {

struct ReproduceArguments {
  std::vector<std::string> ids;
  std::optional<int> jobs;
  bool json = false, renew = false;
};

[[noreturn]] void reproduce(const ReproduceArguments& arguments) {
  const std::filesystem::path root = find_checkout("cases/run.py");
  if (root.empty())
    throw std::invalid_argument("the experiments are part of the source tree: run this from within a checkout of it");
  std::vector<std::string> words{(root / "cases" / "run.py").string()};
  if (arguments.json) words.emplace_back("--json");
  if (arguments.renew) words.emplace_back("--renew");
  if (arguments.jobs) words.push_back(fmt::format("--jobs={}", *arguments.jobs));
  words.emplace_back("--");
  words.insert(words.end(), arguments.ids.begin(), arguments.ids.end());
  become_python(root, words);
}

}  // namespace

void add_reproduce(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("reproduce", "run the papers' experiments and check their claims");
  auto arguments = std::make_shared<ReproduceArguments>();
  command->add_option("ID", arguments->ids, "cases to run, such as I1; all if none is named");
  command->add_flag("--json", arguments->json, "print the results as one JSON array");
  command->add_option("--jobs", arguments->jobs, "cases that run at the same time (2)");
  command->add_flag("--renew", arguments->renew,
                    "also renew the figures and the measured numbers in the cases' folders");
  command->footer("Writes gallery/index.html. Exit code: 0 no claim is false, 1 some are, 2 bad input.");
  command->callback([arguments] { reproduce(*arguments); });
}

}  // namespace stickslip::cli
