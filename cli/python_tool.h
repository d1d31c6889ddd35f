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

}  // namespace stickslip::cli
