// stickslip explain: what a code means.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "print.h"
#include "stickslip/base/codes.h"
#include "stickslip/base/names.h"

namespace stickslip::cli {
namespace {

using nlohmann::ordered_json;

struct ExplainArguments {
  std::string code;
  bool json = false;
};

std::string severity_of(const Code& code) {
  const std::string change = to_string(code.change);
  return change.empty() ? to_string(code.severity) : fmt::format("{}: {}", to_string(code.severity), change);
}

void print(const Code& code) {
  print_to(stdout, "{} ({})\n  {}\n  example: {}\n  fix: {}\n", code.code, severity_of(code), code.meaning,
           code.example, code.fix);
}

void print_all() {
  for (const CodeSection& section : code_sections()) {
    print_to(stdout, "{}\n", section.title);
    for (const Code& code : section.codes) print_to(stdout, "  {:<30} {}\n", code.code, code.meaning);
  }
}

void print_json() {
  ordered_json out = ordered_json::array();
  for (const CodeSection& section : code_sections()) {
    for (const Code& code : section.codes) {
      out.push_back({{"code", code.code},
                     {"section", section.title},
                     {"severity", to_string(code.severity)},
                     {"change", to_string(code.change)},
                     {"meaning", code.meaning},
                     {"example", code.example},
                     {"fix", code.fix}});
    }
  }
  print_to(stdout, "{}\n", out.dump(2));
}

int explain(const ExplainArguments& arguments) {
  if (arguments.json) {
    print_json();
  } else if (arguments.code.empty()) {
    print_all();
  } else if (const Code* code = find_code(arguments.code)) {
    print(*code);
  } else {
    print_to(stderr, "stickslip: there is no code '{}'; {}\n", arguments.code,
             did_you_mean(arguments.code, code_names()));
    return kBadInput;
  }
  return kDone;
}

}  // namespace

void add_explain(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("explain", "say what the code of an error or warning means");
  auto arguments = std::make_shared<ExplainArguments>();
  command->add_option("CODE", arguments->code, "the words in brackets, such as bad-number; none: all of them");
  command->add_flag("--json", arguments->json, "print all as one JSON value");
  command->callback([arguments, &exit_code] { exit_code = explain(*arguments); });
}

}  // namespace stickslip::cli
