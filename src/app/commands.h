// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "app/cli/option_table.h"

namespace winnow {

/// Returns all subcommands of `winnow`. Each keeps the values of its options.
///
/// @param arguments  those after the name of the command, for film files
std::vector<Command> all_commands(const std::vector<std::string>& arguments);

/// Returns the words of a command line with `render` before them if they name a file and no
/// command: "model.obj", "--spp", "16". Makes "--help" of the command "help".
std::vector<std::string> with_command(std::vector<std::string> words);

/// Prints commands to begin with, for `winnow` alone. Returns the exit code.
int print_first_commands();

/// Returns version and commit, compiler, CUDA toolkit and GPU architectures, one line each.
std::string version_text();

}  // namespace winnow
