#include "python_tool.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <stdexcept>

#include "stickslip/base/error.h"

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

// The checkout's Python, or that of the environment which this program was installed into; else the first in PATH.
std::string find_python(const fs::path& checkout) {
  if (const fs::path own = checkout / ".venv/bin/python"; !checkout.empty() && fs::exists(own)) return own.string();
  if (const fs::path beside = this_program().parent_path() / "python3"; fs::exists(beside)) return beside.string();
  return "python3";
}

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
  std::vector<std::string> words{find_python(checkout)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  add_module_path();
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());  // returns only if it fails
  throw std::invalid_argument(fmt::format("cannot start {}; install Python, or run ./stickslip once", words[0]));
}

PythonOutput run_python(const fs::path& checkout, const std::vector<std::string>& arguments) {
  constexpr int kCannotStart = 127;  // as shells say it
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start another process");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    try {
      become_python(checkout, arguments);
    } catch (const std::exception&) {
      _exit(kCannotStart);
    }
  }
  close(ends[1]);
  PythonOutput out;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;) {
    out.text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  waitpid(child, &out.status, 0);
  return out;
}

std::string expand_xacro(const std::string& file, const std::vector<std::string>& package_path) {
  std::vector<std::string> arguments{"-m", "stickslip._xacro", file};
  arguments.insert(arguments.end(), package_path.begin(), package_path.end());
  PythonOutput out = run_python(own_checkout(), arguments);
  if (out.status == 0) return std::move(out.text);
  throw ModelError("xacro", {file, 0, 0}, "this xacro template cannot be expanded", out.text,
                   "install Python and 'pip install xacro', or run 'xacro robot.urdf.xacro > robot.urdf' yourself");
}

}  // namespace stickslip::cli
