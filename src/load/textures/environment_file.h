// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"

namespace winnow {

/// Reads the image of an environment map: HDR, EXR, PFM, PNG or JPEG, the last two as sRGB. Pixels
/// that are negative or not finite become black, with a warning.
/// @return  nothing, with a warning, if the file is missing or broken
std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings);

}  // namespace winnow
