// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"
#include "image/image_io.h"
#include "scene/texture_image.h"

namespace winnow {

enum class TexelMeaning {
  kColor,     ///< sRGB
  kData,      ///< numbers from 0 to 1
  kCoverage,  ///< alpha, or red if the file has no alpha; copied to all channels
};

/// Images of scenes that are read again and again, such as those of the time slices of one picture:
/// each is decoded once, if its format has bytes and all images together have at most kMostBytes.
class KeptImages {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 31;

  /// Lets read_texture_file() and read_texture_bytes() use the images as long as the object lives,
  /// in this thread. A thread has at most one at a time.
  class Use {
   public:
    explicit Use(KeptImages& images);
    Use(const Use&) = delete;
    ~Use();
  };

  /// Returns the image of some bytes, which decode() makes if it is not kept.
  TextureImage find(const std::string& bytes, TexelMeaning meaning, ImageRules rules,
                    const std::function<TextureImage()>& decode);

 private:
  /// Hash and number of the bytes, TexelMeaning, ImageRules
  std::map<std::array<size_t, 4>, TextureImage> images_;
  size_t bytes_ = 0;  ///< bytes of the texels of all images
};

/// Reads an image: PNG, JPEG, WebP, KTX2, TGA, BMP, or the linear formats HDR, EXR and PFM.
/// Channels that are beyond 1e9 or not finite become 0, with a warning.
/// @param warnings  receives what is ignored or damaged, with the name of the file
/// Throws Error, which names the file.
TextureImage read_texture_file(const std::filesystem::path& file, TexelMeaning meaning,
                               std::vector<std::string>& warnings,
                               ImageRules rules = ImageRules::kPlain);

/// Reads an image embedded in another file. Throws Error. Warnings and errors do not name the file.
TextureImage read_texture_bytes(std::istream& stream, TexelMeaning meaning,
                                std::vector<std::string>& warnings,
                                ImageRules rules = ImageRules::kPlain);

/// Returns whether write_texture_file() writes the texels of a format as floats.
inline bool keeps_floats(TexelFormat format) {
  return format == TexelFormat::kFloat || format == TexelFormat::kLinear16;
}

/// Writes PNG, or EXR for texels of more than 8 bits, without loss. Throws Error, which names the
/// file.
void write_texture_file(const std::filesystem::path& file, const TextureImage& texture);

/// Reads the image of an environment map: HDR, EXR, PFM, or PNG and JPEG as sRGB. Channels that
/// are negative, above 1e9 or not finite become 0, with a warning. Throws Error, which names the
/// file.
Image read_environment_image(const std::filesystem::path& file, std::vector<std::string>& warnings,
                             ImageRules rules = ImageRules::kPlain);

/// Reads the image of an environment map; nothing, with a warning, if it is missing or broken.
std::optional<Image> read_environment_file(const std::filesystem::path& file,
                                           std::vector<std::string>& warnings,
                                           ImageRules rules = ImageRules::kPlain);

}  // namespace winnow
