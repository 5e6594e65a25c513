// SPDX-License-Identifier: MIT
#include "app/cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "app/cli/command_line.h"

namespace winnow {
namespace {

/// Returns the names of an option: "-o" and "--output".
std::vector<std::string> names_of(const OptionRow& row) {
  return split(row.name, ',');
}

/// Returns the first sentence of a text, without its full stop.
std::string first_sentence(const std::string& text) {
  const size_t end = text.find(". ");
  std::string sentence = text.substr(0, end);
  if (sentence.ends_with('.')) sentence.pop_back();
  return sentence;
}

/// Puts a backslash before each of `letters` in `text`.
std::string escaped(const std::string& text, std::string_view letters) {
  std::string result;
  for (const char letter : text) {
    if (letters.find(letter) != std::string_view::npos) result += '\\';
    result += letter;
  }
  return result;
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

/// Returns the names of all options of a command.
std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const OptionRow& row : command.options)
    if (!row.is_argument())
      for (const std::string& name : names_of(row)) names.push_back(name);
  names.emplace_back("--help");
  return names;
}

/// Returns the values of the first argument of a command that is a name; empty if it has none.
std::vector<std::string> argument_choices(const Command& command) {
  for (const OptionRow& row : command.options)
    if (row.is_argument() && !row.form.choices.empty()) return row.form.choices;
  return {};
}

std::vector<std::string> command_names(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

constexpr const char* kBashBegin = R"(# bash completion of winnow
_winnow() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  if [[ $word == = ]]; then word=; fi
  if [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ')";

std::string bash_script(const std::vector<Command>& commands) {
  std::vector<std::string> first = command_names(commands);
  first.insert(first.end(), {"--help", "--version"});
  std::string script =
      kBashBegin + joined(first) +
      "' -- \"$word\"))\n    return\n  fi\n  case \"${COMP_WORDS[1]} $before\" in\n";
  for (const Command& command : commands)
    for (const OptionRow& row : command.options) {
      if (row.is_argument() || row.is_flag()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : names_of(row))
        patterns.push_back(shell_quoted(command.name + " " + name));
      const std::string values = row.form.choices.empty()
                                     ? ""
                                     : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$word\")); ",
                                                   joined(row.form.choices));
      script += fmt::format("    {}) {}return ;;\n", fmt::join(patterns, "|"), values);
    }
  script += "  esac\n  case \"${COMP_WORDS[1]} $word\" in\n";
  for (const Command& command : commands) {
    script += fmt::format("    '{} -'*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n",
                          command.name, joined(option_names(command)));
    if (const auto choices = argument_choices(command); !choices.empty())
      script += fmt::format("    '{} '*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n",
                            command.name, joined(choices));
  }
  return script +
         "  esac\n}\n"
         "# Without a reply, bash completes names of files.\n"
         "complete -o default -F _winnow winnow\n";
}

/// Returns what zsh completes for a value: ":CURVE:(srgb aces agx)".
std::string zsh_value(const OptionRow& row, const std::string& title) {
  const std::string action = !row.form.choices.empty() ? "(" + joined(row.form.choices) + ")"
                             : row.form.is_path        ? "_files"
                                                       : "";
  return ":" + escaped(title, ":") + ":" + action;
}

std::string zsh_spec(const OptionRow& row, const std::string& name) {
  if (row.is_argument()) return (row.form.is_repeatable ? "*" : "") + zsh_value(row, row.name);
  const std::string repeats = row.form.is_repeatable ? "*" : "";
  const std::string joins = row.is_flag() ? "" : name.starts_with("--") ? "=" : "+";
  return repeats + name + joins + "[" + escaped(first_sentence(row.help), "[]:\\") + "]" +
         (row.is_flag() ? "" : zsh_value(row, row.placeholder));
}

std::string zsh_script(const std::vector<Command>& commands) {
  std::string script =
      "#compdef winnow\ncompdef _winnow winnow\n\n_winnow() {\n  local -a commands=(\n";
  for (const Command& command : commands)
    script += fmt::format(
        "    {}\n",
        shell_quoted(command.name + ":" + escaped(first_sentence(command.summary), ":\\")));
  script +=
      "  )\n  if ((CURRENT == 2)); then\n    _describe command commands\n    _files\n    return\n"
      "  fi\n  shift words\n  ((CURRENT--))\n  case $words[1] in\n";
  for (const Command& command : commands) {
    script += fmt::format("    {})\n      _arguments -S", command.name);
    for (const OptionRow& row : command.options)
      for (const std::string& name : names_of(row))
        script += " \\\n        " + shell_quoted(zsh_spec(row, name));
    script += " \\\n        '--help[Print the options]' ;;\n";
  }
  return script + "  esac\n}\n\nif [[ ${funcstack[1]} == _winnow ]]; then _winnow \"$@\"; fi\n";
}

std::string fish_quoted(const std::string& text) {
  return "'" + escaped(text, "'\\") + "'";
}

std::string fish_script(const std::vector<Command>& commands) {
  std::string script = "# fish completion of winnow\n";
  for (const Command& command : commands)
    script += fmt::format("complete -c winnow -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          fish_quoted(first_sentence(command.summary)));
  for (const Command& command : commands) {
    const std::string begin = fmt::format(
        "complete -c winnow -n {}", fish_quoted("__fish_seen_subcommand_from " + command.name));
    if (const auto choices = argument_choices(command); !choices.empty())
      script += fmt::format("{} -f -a {}\n", begin, fish_quoted(joined(choices)));
    for (const OptionRow& row : command.options) {
      if (row.is_argument()) continue;
      script += begin;
      for (const std::string& name : names_of(row))
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!row.is_flag()) script += row.form.is_path ? " -r -F" : " -x";
      if (!row.form.choices.empty()) script += " -a " + fish_quoted(joined(row.form.choices));
      script += " -d " + fish_quoted(first_sentence(row.help)) + "\n";
    }
  }
  return script;
}

}  // namespace

std::string completion_script(Shell shell, const std::vector<Command>& commands) {
  switch (shell) {
    case Shell::kBash:
      return bash_script(commands);
    case Shell::kZsh:
      return zsh_script(commands);
    case Shell::kFish:
      return fish_script(commands);
  }
  return "";
}

}  // namespace winnow
