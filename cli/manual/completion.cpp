#include "manual/completion.h"

#include <algorithm>

#include <fmt/format.h>

namespace bellwether::cli {

namespace {

/// A word for any of the shells, which then takes every character as it is.
std::string in_quotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += "'\\''";
    else quoted += c == '\n' ? ' ' : c;
  }
  return quoted + "'";
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const Argument& a : command.arguments) names.insert(names.end(), a.names.begin(), a.names.end());
  return names;
}

/// What bash offers for a value: words, files (-f) or folders (-d).
std::string bash_reply(const Argument& argument) {
  switch (argument.offer) {
    case Offer::files: return "_bellwether_paths -f";
    case Offer::folders: return "_bellwether_paths -d";
    case Offer::choices: return fmt::format("_bellwether_words {}", in_quotes(joined(argument.choices)));
    default: return ":";
  }
}

/// A short description, as zsh's _arguments takes it: brackets and colons have a meaning there.
std::string zsh_text(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) plain += '\\';
    plain += c;
  }
  return plain;
}

std::string zsh_action(const Argument& argument) {
  switch (argument.offer) {
    case Offer::files: return "_files";
    case Offer::folders: return "_files -/";
    case Offer::choices: return "(" + joined(argument.choices) + ")";
    default: return " ";
  }
}

void add_zsh(std::string& out, const Argument& argument, std::size_t& position) {
  const std::string value = fmt::format(":{}:{}", zsh_text(argument.value), zsh_action(argument));
  if (argument.positional()) {
    const std::string place = argument.repeats ? "*" : std::to_string(position++);
    out += " \\\n        " + in_quotes(place + value);
    return;
  }
  for (const std::string& name : argument.names) {
    out += " \\\n        " +
           in_quotes(fmt::format("*{}[{}]{}", name, zsh_text(argument.text), argument.value.empty() ? "" : value));
  }
}

std::string fish_value(const Argument& argument) {
  switch (argument.offer) {
    case Offer::files: return " -r -F";
    case Offer::folders: return " -x -a '(__fish_complete_directories)'";
    case Offer::choices: return " -x -a " + in_quotes(joined(argument.choices));
    default: return argument.value.empty() ? "" : " -x";
  }
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  std::string values, rest;
  for (const Command& command : commands) {
    names.push_back(command.name);
    std::string positional = ":";
    for (const Argument& a : command.arguments) {
      if (a.positional()) {
        if (positional == ":") positional = bash_reply(a);
      } else if (!a.value.empty()) {
        for (const std::string& name : a.names) {
          values += fmt::format("    {},{}) {}; return ;;\n", command.name, name, bash_reply(a));
        }
      }
    }
    rest += fmt::format("    {}) if [[ $cur == -* ]]; then _bellwether_words {}; else {}; fi ;;\n", command.name,
                        in_quotes(joined(option_names(command))), positional);
  }
  return fmt::format(R"(# Completion of bellwether for bash: source it, or put it into bash-completion's folder.
_bellwether_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}
_bellwether_paths() {{
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null || :
}}
_bellwether() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then _bellwether_words '{} --help --version'; return; fi
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case ${{COMP_WORDS[1]}},$prev in
{}  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
}}
complete -F _bellwether bellwether
)",
                     joined(names), values, rest);
}

std::string zsh_completion(const std::vector<Command>& commands) {
  std::string described, cases;
  for (const Command& command : commands) {
    std::string text = command.name + ":" + command.text;
    described += "\n    " + in_quotes(text);
    cases += fmt::format("    {})\n      _arguments -s :", command.name);
    std::size_t position = 1;
    for (const Argument& a : command.arguments) add_zsh(cases, a, position);
    cases += " ;;\n";
  }
  return fmt::format(R"(#compdef bellwether
# Completion of bellwether for zsh: save it as _bellwether in a folder of $fpath.
_bellwether() {{
  local -a commands
  commands=({})
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  shift words
  ((CURRENT--))
  case $words[1] in
{}  esac
}}
if [ "$funcstack[1]" = _bellwether ]; then _bellwether "$@"; else compdef _bellwether bellwether; fi
)",
                     described, cases);
}

std::string fish_completion(const std::vector<Command>& commands) {
  std::string out =
      "# Completion of bellwether for fish: save it as bellwether.fish in ~/.config/fish/completions.\n"
      "complete -c bellwether -f\n";
  for (const Command& command : commands) {
    out += fmt::format("complete -c bellwether -n __fish_use_subcommand -a {} -d {}\n", command.name,
                       in_quotes(command.text));
    const std::string seen = fmt::format("complete -c bellwether -n '__fish_seen_subcommand_from {}'", command.name);
    for (const Argument& a : command.arguments) {
      std::string names;
      for (const std::string& name : a.names) {
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (a.positional() && a.offer == Offer::files) out += seen + " -F\n";
      else if (a.positional() && a.offer == Offer::choices)
        out += fmt::format("{} -a {}\n", seen, in_quotes(joined(a.choices)));
      else if (!a.positional()) out += fmt::format("{}{}{} -d {}\n", seen, names, fish_value(a), in_quotes(a.text));
    }
  }
  return out;
}

}  // namespace bellwether::cli
