// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"
#include "scene/texture_image.h"

namespace winnow {

/// How the bytes of an image are interpreted.
enum class TexelMeaning {
  kColor,     ///< sRGB
  kData,      ///< numbers from 0 to 1
  kCoverage,  ///< alpha, or red if the file has no alpha; copied to all channels
};

/// Reads PNG, JPEG, WebP, TGA or BMP, and the linear HDR, EXR and PFM.
/// Throws Error, which names the file.
TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning);

/// The same for an image embedded in another file. Throws Error without a file name.
TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning);

/// Writes PNG, or EXR for floats, without loss.
/// Throws Error, which names the file.
void write_texture_file(const std::filesystem::path& file, const TextureImage& texture);

/// Reads the image of an environment map: HDR, EXR, PFM, PNG or JPEG, the last two as sRGB. Pixels
/// that are negative or not finite become black, with a warning. Throws Error, which names the
/// file.
Image read_environment_image(const std::filesystem::path& file, std::vector<std::string>& warnings);

/// The same.
/// @return  nothing, with a warning, if the file is missing or broken
std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings);

}  // namespace winnow
