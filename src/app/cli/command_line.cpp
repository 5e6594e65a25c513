// SPDX-License-Identifier: MIT
#include "app/cli/command_line.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "base/error.h"
#include "base/names.h"

namespace winnow {
namespace {

constexpr size_t kHelpColumns = 58;   // columns of the help beside the names of the options
constexpr size_t kNotesColumns = 96;  // below them

void add_option(CLI::App& app, const OptionRow& row) {
  const std::string values = values_and_default(row);
  const std::string help = wrapped(row.help, kHelpColumns) +
                           (values.empty() ? "" : "\n" + wrapped(values, kHelpColumns));
  if (row.is_flag()) {
    app.add_flag_function(
        row.name, [read = row.read](int64_t count) { read({count > 0 ? "on" : "off"}); }, help);
    return;
  }
  auto read_one = [read = row.read](const std::string& text) { read({text}); };
  CLI::Option* option =
      row.form.is_repeatable
          ? app.add_option_function<std::vector<std::string>>(row.name, row.read, help)
          : app.add_option_function<std::string>(row.name, read_one, help)->take_last();
  option->type_name(row.placeholder)->required(row.form.is_required);
  if (row.form.is_repeatable && !row.is_argument()) option->allow_extra_args(false);
}

void add_command(CLI::App& app, const Command& command) {
  for (const OptionRow& row : command.options) add_option(app, row);
  app.footer(wrapped(command.notes, kNotesColumns));
}

std::string see_help(const CLI::App& command) {
  return fmt::format("; see winnow {}--help",
                     command.get_parent() ? command.get_name() + " " : std::string());
}

std::vector<std::string> left_over(const CLI::App& command) {
  std::vector<std::string> left = command.remaining();
  left.erase(std::remove(left.begin(), left.end(), "--"), left.end());
  return left;
}

void check_command_is_known(const CLI::App& app) {
  std::vector<std::string> left = left_over(app), names;
  if (!app.get_subcommands().empty() || (!left.empty() && left.front().front() == '-')) return;
  if (left.empty()) throw UsageError("a command is missing" + see_help(app));
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  throw UsageError(
      fmt::format("unknown command \"{}\"; {}", left.front(), suggest_name(left.front(), names)));
}

/// Throws UsageError for an unknown option, with the nearest known one, or an excess argument.
void check_nothing_is_left(const CLI::App& command) {
  std::vector<std::string> left = left_over(command), names;
  if (left.empty()) return;
  std::string unknown = left.front().substr(0, left.front().find('='));
  if (unknown.rfind('-', 0) != 0)
    throw UsageError(fmt::format("\"{}\" is not expected{}", unknown, see_help(command)));

  for (const CLI::Option* option : command.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  std::string word = unknown.substr(std::min(unknown.find_first_not_of('-'), unknown.size()));
  std::optional<std::string> nearest = nearest_name(word, names);
  throw UsageError(
      fmt::format("unknown option \"{}\"{}", unknown,
                  nearest ? fmt::format("; did you mean --{}?", *nearest) : see_help(command)));
}

void check_all_is_known(const CLI::App& app) {
  check_command_is_known(app);
  check_nothing_is_left(app);
  for (const CLI::App* command : app.get_subcommands()) check_nothing_is_left(*command);
}

/// Returns the reason that CLI11 gives, reworded where a value is missing.
std::string reason_of(const CLI::ParseError& error) {
  std::string text = error.what();
  bool value_is_missing = error.get_name() == "ArgumentMismatch";
  return value_is_missing ? text.substr(0, text.find(':')) + ": its value is missing" : text;
}

/// Returns whether `word` gives a value to a list of numbers, or is the name of such an option.
bool begins_list(const OptionTable& options, const std::string& word) {
  for (const OptionRow& row : options)
    if (row.form.is_list && (word == row.name || word.starts_with(row.name + "="))) return true;
  return false;
}

/// Joins the words of lists with spaces after their commas: "--camera", "1,", "2,", "3" become
/// "--camera", "1,2,3".
std::vector<std::string> with_joined_lists(const OptionTable& options,
                                           const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (size_t i = 0; i < words.size(); ++i) {
    joined.push_back(words[i]);
    if (!begins_list(options, words[i])) continue;
    if (words[i].find('=') == std::string::npos && i + 1 < words.size())
      joined.push_back(words[++i]);
    while (i + 1 < words.size() && (joined.back().ends_with(',') || words[i + 1].starts_with(',')))
      joined.back() += words[++i];
  }
  return joined;
}

std::string exit_codes_text() {
  std::string text;
  for (const ExitCode& code : kExitCodes)
    text += fmt::format("{}{} {}", text.empty() ? "Exit codes: " : "; ", code.code, code.meaning);
  return wrapped(text + ".", kNotesColumns) + "\n";
}

/// CLI11 takes the last word first.
std::vector<std::string> reversed(const std::vector<std::string>& words) {
  return {words.rbegin(), words.rend()};
}

}  // namespace

std::string values_text(const OptionRow& row) {
  if (row.notes.unit.empty()) return row.form.values;
  return row.form.values + (row.form.values.empty() ? "in " : ", in ") + row.notes.unit;
}

std::string values_and_default(const OptionRow& row) {
  std::string text = values_text(row);
  if (!row.notes.default_text.empty())
    text += (text.empty() ? "default: " : "; default: ") + row.notes.default_text;
  return text.empty() ? "" : "[" + text + "]";
}

std::string arguments_text(const Command& command) {
  std::string text;
  bool has_options = false;
  for (const OptionRow& row : command.options) {
    if (row.is_argument()) text += " " + row.name + (row.form.is_repeatable ? "..." : "");
    has_options |= !row.is_argument();
  }
  return text + (has_options ? " [OPTION...]" : "");
}

void parse_options(const OptionTable& options, const std::vector<std::string>& arguments) {
  CLI::App app;
  for (const OptionRow& row : options) add_option(app, row);
  try {
    app.parse(reversed(with_joined_lists(options, arguments)));
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

int run_program(const Command& command, int argc, const char* const* argv) {
  CLI::App app(command.summary, command.name);
  add_command(app, command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  return command.run();
}

int run_command_line(const std::vector<Command>& commands, const std::string& version,
                     const std::vector<std::string>& words) {
  CLI::App app(
      "Winnow: a wavefront path tracer that removes terminated paths from the work after every "
      "bounce",
      "winnow");
  app.set_version_flag("--version", version, "Print version, commit, compiler and CUDA.");
  app.set_help_flag("-h,--help", "Print this text.");
  app.footer(exit_codes_text() + "winnow COMMAND --help describes its options.");
  app.require_subcommand(1);
  app.allow_extras();  // check_all_is_known refuses them
  std::vector<std::string> joined = words;
  for (const Command& command : commands) {
    CLI::App* parser =
        app.add_subcommand(command.name, wrapped(command.summary, kHelpColumns))->allow_extras();
    add_command(*parser, command);
    if (!words.empty() && words.front() == command.name)
      joined = with_joined_lists(command.options, words);
  }
  try {
    app.parse(reversed(joined));
  } catch (const CLI::Success& help_or_version) {
    app.exit(help_or_version);
    write_stdout();
    return 0;
  } catch (const CLI::ParseError& error) {
    check_all_is_known(app);  // a misspelt option is the more helpful message
    auto parsed = app.get_subcommands();
    throw UsageError(reason_of(error) + see_help(parsed.empty() ? app : *parsed.front()));
  }
  check_all_is_known(app);
  const std::string name = app.get_subcommands().front()->get_name();
  const auto chosen = std::find_if(commands.begin(), commands.end(),
                                   [&](const Command& command) { return command.name == name; });
  const int exit_code = chosen->run();
  write_stdout();
  return exit_code;
}

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? "'\\''" : std::string(1, letter);
  return quoted + "'";
}

}  // namespace winnow
