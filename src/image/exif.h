// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winnow {

/// Returns a warning that an image is not rotated; nothing if its Exif data do not ask for it.
///
/// @param exif  a TIFF header and its first directory, as in CIPA DC-008; may be damaged
std::optional<std::string> warn_of_orientation(std::string_view exif);

}  // namespace winnow
