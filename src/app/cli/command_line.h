// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "app/cli/option_table.h"

namespace winnow {

/// Returns the accepted values of an option and their unit, "1 to 1000, in s". May be empty.
std::string values_text(const OptionRow& row);

/// Returns the values and the default of an option, "[1 to 1000, in s; default: 60]". May be empty.
std::string values_and_default(const OptionRow& row);

/// Returns the arguments of a command, as they follow its name: " SCENE... [OPTION...]".
std::string arguments_text(const Command& command);

/// Parses the arguments of one command, "--spp=16" for example, and reads them into its options.
/// Throws UsageError.
void parse_options(const OptionTable& options, const std::vector<std::string>& arguments);

/// Parses the command line of a program with a single command and runs it. Prints --help. Returns
/// the exit code. Throws UsageError for an invalid command line, and what the command throws.
int run_program(const Command& command, int argc, const char* const* argv);

/// Runs the chosen subcommand of a program as run_program() does. Also prints --version.
///
/// @param words  the command line without the name of the program
int run_command_line(const std::vector<Command>& commands, const std::string& version,
                     const std::vector<std::string>& words);

/// Returns a text in single quotes, as POSIX shells read one word.
std::string shell_quoted(const std::string& text);

}  // namespace winnow
