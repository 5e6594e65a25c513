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

enum class TexelMeaning {
  kColor,     ///< sRGB
  kData,      ///< numbers from 0 to 1
  kCoverage,  ///< alpha, or red if the file has no alpha; copied to all channels
};

/// Reads an image: PNG, JPEG, WebP, TGA, BMP, or the linear formats HDR, EXR and PFM.
/// Throws Error, which names the file.
TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning);

/// Reads an image embedded in another file. Throws Error without a file name.
TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning);

/// Writes PNG, or EXR for floats, without loss. Throws Error, which names the file.
void write_texture_file(const std::filesystem::path& file, const TextureImage& texture);

/// Reads the image of an environment map: HDR, EXR, PFM, or PNG and JPEG as sRGB. Invalid pixels
/// become black, with a warning. Throws Error, which names the file.
Image read_environment_image(const std::filesystem::path& file, std::vector<std::string>& warnings);

/// Reads the image of an environment map; nothing, with a warning, if it is missing or broken.
std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings);

}  // namespace winnow
