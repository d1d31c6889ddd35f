#pragma once

#include <CLI/CLI.hpp>

namespace stickslip::cli {

// Exit codes of every command.
constexpr int kDone = 0;
constexpr int kStoppedEarly = 1;
constexpr int kBadInput = 2;

// Each adds its sub-command to the parser; the exit code is left in `exit_code` when it runs.
void add_run(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_replay(CLI::App& app, int& exit_code);
void add_bench(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);

}  // namespace stickslip::cli
