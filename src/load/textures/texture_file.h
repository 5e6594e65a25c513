#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "scene/texture_image.h"

namespace winnow {

/// What the bytes of an image are.
enum class TexelMeaning {
  kColor,     ///< sRGB
  kData,      ///< numbers from 0 to 1
  kCoverage,  ///< alpha, or red where the file has no alpha; all channels become that
};

/// Reads PNG, JPEG, TGA or BMP, and the linear HDR, EXR and PFM.
/// Throws Error, which names the file.
TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning);

/// The same for an image of bytes that lies inside of another file. Throws Error without a name.
TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning);

/// Writes PNG, or EXR for floats, from which reading makes the same texels.
/// Throws Error, which names the file.
void write_texture_file(const std::filesystem::path& file, const TextureImage& texture);

}  // namespace winnow
