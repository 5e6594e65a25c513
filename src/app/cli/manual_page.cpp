// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/cli/command_line.h"
#include "app/cli/completion.h"
#include "app/cli/console.h"

namespace winnow {
namespace {

/// Escapes a line of text for roff: backslashes, hyphens, and a control character at its start.
std::string roff(const std::string& text) {
  std::string line;
  for (const char letter : text) {
    if (letter == '\\')
      line += "\\e";
    else if (letter == '-')
      line += "\\-";
    else
      line += letter;
  }
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// Returns the names of an option with its placeholder: "-o, --output FILE", the names in bold.
std::string title_of(const OptionRow& row) {
  std::string title;
  for (const std::string& name : split(row.name, ','))
    title += (title.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!row.placeholder.empty()) title += " \\fI" + roff(row.placeholder) + "\\fR";
  return title;
}

std::string section_of(const Command& command) {
  std::string text = fmt::format(".SS winnow {}{}\n{}\n", roff(command.name),
                                 roff(arguments_text(command)), roff(command.summary));
  for (const OptionRow& row : command.options) {
    const std::string values = values_and_default(row);
    text += fmt::format(".TP\n{}\n{}{}{}\n", title_of(row), roff(row.help),
                        values.empty() ? "" : "\n.br\n", roff(values));
  }
  return command.notes.empty() ? text : text + fmt::format(".PP\n{}\n", roff(command.notes));
}

}  // namespace

std::string manual_page(const std::vector<Command>& commands, const std::string& version) {
  std::string text = fmt::format(
      ".TH WINNOW 1 \"\" \"winnow {}\" \"User Commands\"\n"
      ".SH NAME\nwinnow \\- render 3D models and scenes by path tracing, on CPUs and CUDA GPUs\n"
      ".SH SYNOPSIS\n\\fBwinnow\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...]\n.br\n"
      "\\fBwinnow\\fR \\fISCENE\\fR [\\fIOPTION\\fR...]\n"
      ".SH DESCRIPTION\nWithout a command, a scene is rendered.\n.SH COMMANDS\n",
      roff(version));
  for (const Command& command : commands) text += section_of(command);
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& code : kExitCodes)
    text += fmt::format(".TP\n.B {}\n{}\n", code.code, roff(code.meaning));
  return text;
}

}  // namespace winnow
