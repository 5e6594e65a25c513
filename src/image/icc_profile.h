// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winnow {

/// Returns a warning that a colour profile is ignored; nothing if it describes sRGB, or grey with
/// the curve of sRGB. Small differences of profiles that mean sRGB do not count.
///
/// @param icc  a profile as in ICC.1:2022; may be damaged
std::optional<std::string> warn_of_profile(std::string_view icc);

}  // namespace winnow
