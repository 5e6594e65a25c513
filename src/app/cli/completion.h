// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/cli/option_table.h"
#include "base/names.h"

namespace winnow {

enum class Shell { kBash, kZsh, kFish };
template <>
inline constexpr std::array<const char*, 3> kEnumNames<Shell> = {"bash", "zsh", "fish"};

/// Returns a script with which a shell completes the command line of `winnow`: commands, the
/// options of each, values that are names, and files.
std::string completion_script(Shell shell, const std::vector<Command>& commands);

/// Returns the manual page of `winnow` in the man macros of roff, with the options of all commands.
std::string manual_page(const std::vector<Command>& commands, const std::string& version);

}  // namespace winnow
