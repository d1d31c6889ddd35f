#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stickslip::cli {

// Some commands are Python: these find it and its files, and step aside.

// The checkout that this program, or else the present folder, is part of: the nearest folder above with `file` in it.
// Empty if there is none.
std::filesystem::path find_checkout(const std::string& file);

// The checkout that this program was built in; empty if it was installed elsewhere.
std::filesystem::path own_checkout();

// Runs Python with these arguments in place of this program, with the module that was built together with it. Throws
// std::invalid_argument if there is no Python.
[[noreturn]] void become_python(const std::filesystem::path& checkout, const std::vector<std::string>& arguments);

// The same as another process, for what it writes; `status` is what it ends with.
struct PythonOutput {
  int status = 0;
  std::string text;
};
PythonOutput run_python(const std::filesystem::path& checkout, const std::vector<std::string>& arguments);

// For LoadOptions: lets the Python package `xacro` expand a template. Throws ModelError "xacro".
std::string expand_xacro(const std::string& file, const std::vector<std::string>& package_path);

}  // namespace stickslip::cli
