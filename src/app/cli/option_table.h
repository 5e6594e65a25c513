// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/cli/option_values.h"

// The options of a command are a table. The parser, --help, OPTIONS.md, the scene schema, the
// keywords of the Python module, the manual page and the completion of shells are made from it.
// Defaults are the initial values of the variables.

namespace winnow {

struct OptionNotes {
  std::string unit = {};          ///< "s"; empty: none
  std::string default_text = {};  ///< replaces the text of the initial value
  std::string keyword = {};       ///< keyword of render() or bench() in Python; empty: none
};

/// How an option is written and what values it accepts.
struct OptionForm {
  std::string values = {};     ///< accepted values, "1 to 1000"; empty if the help describes them
  std::string python = "str";  ///< type of the keyword
  uint64_t min = 0, max = 0;   ///< range of a whole number
  bool is_required = false;    ///< whether the command needs it
  bool is_repeatable = false;  ///< each occurrence adds values; otherwise the last one counts
  bool is_path = false;        ///< names a file or a folder
  /// Names that a value may be, or that a list may hold; empty: other values
  std::vector<std::string> choices = {};
  bool is_list = false;  ///< numbers separated by commas, which spaces may follow
};

/// One option or argument of a command.
struct OptionRow {
  std::string name;         ///< "-o,--output"; "SCENE" for an argument
  std::string placeholder;  ///< stands for the value, "N"; empty for flags and arguments
  std::string help;         ///< complete sentences, without values, unit and default
  OptionNotes notes = {};
  OptionForm form = {};
  /// Stores the parsed texts. For a flag, they are {"on"} or {"off"}. Throws UsageError.
  std::function<void(const std::vector<std::string>& texts)> read;

  bool is_argument() const { return name.front() != '-'; }
  bool is_flag() const { return placeholder.empty() && !is_argument(); }
};

using OptionTable = std::vector<OptionRow>;

inline void append(OptionTable& table, OptionTable more) {
  for (OptionRow& row : more) table.push_back(std::move(row));
}

/// A subcommand of `winnow`.
struct Command {
  std::string name;
  std::string summary;       ///< one or more sentences
  OptionTable options;       ///< reading them changes what run() does
  std::string notes;         ///< sentences below the options; may be empty
  std::function<int()> run;  ///< returns the exit code
};

/// A type of values: how they are parsed and printed.
template <class Value>
struct OptionType {
  std::function<Value(const std::string& option, const std::string& text)> parse;
  OptionForm form = {};
  std::function<std::string(const Value&)> text = nullptr;  ///< null: no default is printed
};

/// Returns the type of the values of `parse(option, text)`, a function such as those of
/// option_values.h.
template <class Parse>
auto parsed_by(Parse parse, std::string values = "", std::string python = "str") {
  using Value = decltype(parse(std::string(), std::string()));
  return OptionType<Value>{.parse = parse,
                           .form = {.values = std::move(values), .python = std::move(python)}};
}

/// Returns the type of whole numbers in [min, max].
template <class Number = uint32_t>
OptionType<Number> whole_number(uint64_t min, uint64_t max) {
  return {.parse =
              [min, max](const std::string& option, const std::string& text) {
                return Number(parse_whole_number(option, text, min, max));
              },
          .form = {.values = std::to_string(min) + " to " + std::to_string(max),
                   .python = "int",
                   .min = min,
                   .max = max},
          .text = [](const Number& value) { return std::to_string(value); }};
}

inline OptionType<std::string> text_type() {
  return {.parse = [](const std::string&, const std::string& text) { return text; }};
}

/// Returns the type of paths, which `Held` keeps.
template <class Held = std::filesystem::path>
OptionType<Held> path_type() {
  return {.parse = [](const std::string& option,
                      const std::string& text) { return Held(parse_path(option, text)); },
          .form = {.python = "str | os.PathLike[str]", .is_path = true}};
}

/// Returns the type of paths and of "-", which stands for a standard stream.
inline OptionType<std::filesystem::path> path_or_stream_type() {
  OptionType<std::filesystem::path> type = path_type();
  type.parse = [](const std::string&, const std::string& text) { return text; };
  return type;
}

/// Returns the type of a choice among `names`; Value(i) is the value of names[i].
template <class Value>
OptionType<Value> one_of(const std::vector<std::string>& names) {
  return {.parse =
              [names](const std::string& option, const std::string& text) {
                return Value(parse_choice(option, text, names));
              },
          .form = {.values = alternatives(names), .choices = names},
          .text = [names](const Value& value) { return names[size_t(value)]; }};
}

/// Returns the type of a choice among the names of an enumeration.
template <class Enum>
OptionType<Enum> name_of() {
  return one_of<Enum>(enum_names<Enum>());
}

inline OptionType<bool> on_or_off() {
  OptionType<bool> type = one_of<bool>({"off", "on"});
  type.form.python = "bool";
  return type;
}

/// Returns the type of a comma-separated list of `names`; Value(i) is the value of names[i].
template <class Value>
OptionType<std::vector<Value>> list_of(const std::vector<std::string>& names) {
  auto parse = [names](const std::string& option, const std::string& text) {
    std::vector<Value> values;
    for (size_t choice : parse_choices(option, text, names)) values.push_back(Value(choice));
    return values;
  };
  auto text = [names](const std::vector<Value>& values) {
    std::string list;
    for (const Value value : values) list += (list.empty() ? "" : ",") + names[size_t(value)];
    return list;
  };
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "any of " : ", ") + name;
  return {.parse = parse,
          .form = {.values = all,
                   .python = std::is_same_v<Value, bool> ? "Sequence[bool]" : "Sequence[str]",
                   .choices = names},
          .text = text};
}

/// Returns an option with a value. Its default is the initial value of `target`, unless that is an
/// empty std::optional or `notes` describe another one. `target` must outlive the row.
template <class Target, class Value>
OptionRow option(const std::string& name, std::string placeholder, Target& target,
                 const OptionType<Value>& type, std::string help, OptionNotes notes = {}) {
  if constexpr (std::is_same_v<Target, Value>)
    if (type.text && notes.default_text.empty()) notes.default_text = type.text(target);
  auto read = [&target, shown = name.substr(name.rfind(',') + 1), parse = type.parse](
                  const std::vector<std::string>& texts) { target = parse(shown, texts.back()); };
  return {name, std::move(placeholder), std::move(help), std::move(notes), type.form, read};
}

/// Returns an option without a value, which sets `target` to true.
inline OptionRow flag(const std::string& name, bool& target, std::string help,
                      OptionNotes notes = {}) {
  auto read = [&target](const std::vector<std::string>& texts) { target = texts.back() == "on"; };
  return {name, "", std::move(help), std::move(notes), {.python = "bool"}, read};
}

/// Returns a required argument.
inline OptionRow argument(const std::string& name, std::filesystem::path& target,
                          std::string help) {
  OptionRow row = option(name, "", target, path_type(), std::move(help));
  row.form.is_required = true;
  return row;
}

/// Returns an argument or an option for one or more files.
inline OptionRow files(const std::string& name, std::vector<std::filesystem::path>& target,
                       std::string help, OptionForm form = {}, OptionNotes notes = {}) {
  auto read = [&target](const std::vector<std::string>& texts) {
    target.assign(texts.begin(), texts.end());
  };
  form.is_repeatable = form.is_path = true;
  const char* placeholder = name.front() == '-' ? "FILE" : "";
  return {name, placeholder, std::move(help), std::move(notes), std::move(form), read};
}

}  // namespace winnow
