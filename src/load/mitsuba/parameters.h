// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

namespace winnow {

/// Values of the parameters of a Mitsuba scene by name, from <default> and -D.
using MitsubaParameters = std::map<std::string, std::string>;

}  // namespace winnow
