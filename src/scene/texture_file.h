#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "scene/texture_image.h"

namespace winnow {

/// What the bytes of an image are.
enum class TexelMeaning {
  kColor,  ///< sRGB
  kData,   ///< numbers from 0 to 1
};

/// Reads PNG, JPEG, TGA or BMP, and the linear HDR, EXR and PFM.
/// Throws Error, which names the file.
TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning);

/// The same for an image of bytes that lies inside of another file. Throws Error without a name.
TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning);

}  // namespace winnow
