// stickslip completion: scripts that let shells complete commands, options and their words.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "commands.h"
#include "stickslip/stickslip.h"

namespace stickslip::cli {
namespace {

// Words that an option takes; options that are not here take files or numbers.
std::map<std::string, std::string> option_words() {
  std::string methods;
  for (const std::string& name : stepper_names()) methods += (methods.empty() ? "" : " ") + name;
  return {{"--method", methods},
          {"--friction", "anchored regularized"},
          {"--weights", "size identity"},
          {"--norm", "position state"}};
}

std::string options_of(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) out += (out.empty() ? "--" : " --") + name;
  }
  return out;
}

std::string commands_of(const CLI::App& app) {
  std::string out;
  for (const CLI::App* command : app.get_subcommands({})) out += (out.empty() ? "" : " ") + command->get_name();
  return out;
}

// Also of zsh, which understands bash's with bashcompinit.
std::string bash_script(const CLI::App& app) {
  std::string words, options;
  for (const auto& [option, choices] : option_words())
    words += fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;\n", option, choices);
  for (const CLI::App* command : app.get_subcommands({}))
    options += fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(), options_of(*command));
  return fmt::format(R"(_stickslip() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" options=""
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{} {}" -- "$word"))
    return
  fi
  case "$before" in
{}  esac
  case "${{COMP_WORDS[1]}}" in
{}  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _stickslip stickslip ./stickslip
)",
                     commands_of(app), options_of(app), words, options);
}

std::string fish_script(const CLI::App& app) {
  std::string out;
  const auto words = option_words();
  for (const CLI::App* command : app.get_subcommands({})) {
    const std::string& name = command->get_name();
    out +=
        fmt::format("complete -c stickslip -n __fish_use_subcommand -a {} -d '{}'\n", name, command->get_description());
    for (const CLI::Option* option : command->get_options()) {
      for (const std::string& long_name : option->get_lnames()) {
        const auto choices = words.find("--" + long_name);
        out += fmt::format("complete -c stickslip -n '__fish_seen_subcommand_from {}' -l {}{}\n", name, long_name,
                           choices == words.end() ? "" : fmt::format(" -x -a '{}'", choices->second));
      }
    }
  }
  return out;
}

}  // namespace

void add_completion(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("completion", "print a script that completes commands and options in a shell");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->footer(
      "bash: eval \"$(stickslip completion bash)\"   in ~/.bashrc\n"
      "zsh:  eval \"$(stickslip completion zsh)\"    in ~/.zshrc\n"
      "fish: stickslip completion fish | source     in ~/.config/fish/config.fish");
  command->callback([shell, &app] {
    if (*shell == "zsh") fmt::print("autoload -U +X bashcompinit && bashcompinit\n");
    fmt::print("{}", *shell == "fish" ? fish_script(app) : bash_script(app));
  });
}

}  // namespace stickslip::cli
