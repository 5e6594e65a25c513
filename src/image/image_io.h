#pragma once

#include <cstdint>
#include <filesystem>

#include "image/image.h"
#include "image/image_channel.h"
#include "image/tone_mapping.h"

namespace winnow {

inline constexpr uint32_t kMaxImageSide = 32768;  ///< pixels; of renders and of what is read

enum class ImageFormat {
  kPng,  ///< tone-mapped, 8 bits
  kJpg,  ///< tone-mapped, 8 bits, lossy
  kHdr,  ///< linear, shared exponent
  kPfm,  ///< linear, the bits of the floats
  kExr,  ///< linear, the bits of the floats
};

/// Whether the format holds numbers of any size, or only colours.
bool holds_numbers(ImageFormat format);

/// The format by the file's extension, in any case. Throws UsageError, which lists the known ones.
ImageFormat image_format(const std::filesystem::path& file);

/// Throws Error when an image of this size cannot be written to `file` in its format.
void check_image_fits(const std::filesystem::path& file, uint32_t width, uint32_t height);

/// Throws Error, without a file's name, unless both sides are in [1, kMaxImageSide].
void check_image_size(int64_t width, int64_t height);

/// Writes the format that the extension names. The file is replaced whole or not at all.
///
/// @param mapping   for formats of 8 bits; the others keep radiance as it is
/// @param channels  further ones of the same size, for OpenEXR; the other formats leave them out
/// Throws Error or UsageError, which name the file.
void write_image(const std::filesystem::path& file, const Image& image,
                 const ToneMapping& mapping = {}, const std::vector<ImageChannel>& channels = {});

/// Reads an image in a format that its extension names. Values of 8 bits are taken as sRGB.
/// Throws Error or UsageError, which name the file.
Image read_image(const std::filesystem::path& file);

}  // namespace winnow
