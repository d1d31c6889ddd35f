// stickslip bench: speed and error beside other engines, which is Python, in bench/.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>

#include "commands.h"
#include "python_tool.h"

namespace stickslip::cli {
namespace {

struct BenchArguments {
  std::vector<std::string> ids, compare, page;
  std::optional<int> repeat, starts;
  std::string engines, folder;
  bool json = false, setup = false, list = false, quick = false;
};

[[noreturn]] void bench(const BenchArguments& arguments) {
  const std::filesystem::path root = find_checkout("bench/compare.py");
  if (root.empty())
    throw std::invalid_argument("the benchmarks are part of the source tree: run this from within a checkout of it");
  std::vector<std::string> words{(root / "bench" / "compare.py").string()};
  const auto flag = [&](bool given, const char* name) {
    if (given) words.emplace_back(name);
  };
  flag(arguments.json, "--json");
  flag(arguments.setup, "--setup");
  flag(arguments.list, "--list");
  flag(arguments.quick, "--quick");
  flag(!arguments.compare.empty(), "--compare");
  words.insert(words.end(), arguments.compare.begin(), arguments.compare.end());
  flag(!arguments.page.empty(), "--page");
  words.insert(words.end(), arguments.page.begin(), arguments.page.end());
  if (!arguments.folder.empty()) words.push_back("--export=" + arguments.folder);
  if (arguments.repeat) words.push_back(fmt::format("--repeat={}", *arguments.repeat));
  if (arguments.starts) words.push_back(fmt::format("--starts={}", *arguments.starts));
  if (!arguments.engines.empty()) words.push_back("--engines=" + arguments.engines);
  words.emplace_back("--");
  words.insert(words.end(), arguments.ids.begin(), arguments.ids.end());
  become_python(root, words);
}

}  // namespace

void add_bench(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("bench", "measure speed and error, beside MuJoCo and Drake where installed");
  auto arguments = std::make_shared<BenchArguments>();
  command->add_option("ID", arguments->ids, "scenes, such as C5 or pile_80; all if none is named");
  command->add_flag("--list", arguments->list, "name the scenes");
  command->add_flag("--quick", arguments->quick, "a few scenes, in less than a minute");
  command->add_option("--repeat", arguments->repeat, "timed runs of each setting (5)");
  command->add_option("--starts", arguments->starts, "of the clutters C4, C5, I7, each a little different (8)");
  command->add_option("--engines", arguments->engines, "stickslip, mujoco, drake: one word with commas; default all");
  command->add_option("--compare", arguments->compare, "two files of results: what got slower")->expected(2);
  command->add_option("--export", arguments->folder, "write the scenes into this folder, as YAML and MJCF");
  command
      ->add_option("--page", arguments->page,
                   "make docs/benchmarks.md of a file of results, and of that of a second run")
      ->expected(1, 2);
  command->add_flag("--setup", arguments->setup, "install the other engines from PyPI");
  command->add_flag("--json", arguments->json, "print the results as one JSON array");
  command->footer(
      "Results are also kept in bench/results/. Exit code: 0 done, 1 something got slower (--compare), 2 bad input.");
  command->callback([arguments] { bench(*arguments); });
}

}  // namespace stickslip::cli
