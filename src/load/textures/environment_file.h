#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"

namespace winnow {

/// Reads the image of an environment map: HDR, EXR, PFM, PNG or JPEG, the last two as sRGB. Values
/// that are no radiance (negative, or not finite) become 0, with a warning; so does a file that is
/// missing or broken, which gives no image.
std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings);

}  // namespace winnow
