#include "python_tool.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace stickslip::cli {
namespace {

namespace fs = std::filesystem;

fs::path find_above(fs::path start, const std::string& file) {
  for (; !start.empty(); start = start.parent_path()) {
    if (fs::exists(start / file)) return start;
    if (start == start.root_path()) break;
  }
  return {};
}

fs::path this_program() { return fs::read_symlink("/proc/self/exe"); }

// Lets Python find the module that was built together with this program.
void add_module_path() {
  const fs::path module = this_program().parent_path().parent_path() / "python";
  if (!fs::exists(module / "stickslip")) return;
  const char* present = std::getenv("PYTHONPATH");
  const std::string path = present && *present ? module.string() + ":" + present : module.string();
  setenv("PYTHONPATH", path.c_str(), 1);
}

}  // namespace

fs::path own_checkout() { return find_above(this_program().parent_path(), "cases/run.py"); }

fs::path find_checkout(const std::string& file) {
  const fs::path own = find_above(this_program().parent_path(), file);
  return own.empty() ? find_above(fs::current_path(), file) : own;
}

void become_python(const fs::path& checkout, const std::vector<std::string>& arguments) {
  const fs::path own_python = checkout / ".venv" / "bin" / "python";
  std::vector<std::string> words{!checkout.empty() && fs::exists(own_python) ? own_python.string() : "python3"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  add_module_path();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());  // returns only if it fails
  throw std::invalid_argument(fmt::format("cannot start {}; install Python, or run ./stickslip once", words[0]));
}

}  // namespace stickslip::cli
