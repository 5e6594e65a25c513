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

/// Returns version and commit, compiler, CUDA toolkit and GPU architectures, one line each.
std::string version_text();

}  // namespace winnow
