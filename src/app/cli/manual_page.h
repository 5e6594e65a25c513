// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "app/cli/option_table.h"

namespace winnow {

/// Returns the manual page of `winnow` in the man macros of roff, with the options of all commands.
std::string manual_page(const std::vector<Command>& commands, const std::string& version);

}  // namespace winnow
