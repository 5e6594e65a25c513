// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>

#include "base/limits.h"
#include "image/image.h"
#include "image/tone_mapping.h"

namespace winnow {

enum class ImageFormat {
  kPng,  ///< tone-mapped, 8 bits
  kJpg,  ///< tone-mapped, 8 bits, lossy
  kHdr,  ///< linear, shared exponent
  kPfm,  ///< linear, the bits of the floats
  kExr,  ///< linear, the bits of the floats
};

/// Whether the format stores floating-point values, not only 8-bit colours.
bool holds_numbers(ImageFormat format);

/// The format for a file extension, case-insensitive. Throws UsageError that lists the known ones.
ImageFormat image_format(const std::filesystem::path& file);

/// Throws Error if the format of `file` cannot hold an image of this size.
void check_image_fits(const std::filesystem::path& file, uint32_t width, uint32_t height);

/// Throws Error, without the name of a file, if an image has more pixels than the bytes of its file
/// can hold.
///
/// @param most  pixels
void check_image_bytes(int64_t width, int64_t height, uint64_t most);

/// The bytes from the position of a stream to its end. The position stays.
uint64_t bytes_left(std::istream& stream);

/// Throws Error, without the name of a file, unless both sides are in [1, kMaxImageSide].
void check_image_size(int64_t width, int64_t height);

/// Writes an image in the format of the file extension. Replaces the file completely or not at all.
///
/// @param mapping   for 8-bit formats; the others store radiance unchanged
/// @param channels  additional channels of the same size; formats other than OpenEXR omit them
/// Throws Error or UsageError, which name the file.
void write_image(const std::filesystem::path& file, const Image& image,
                 const ToneMapping& mapping = {}, const std::vector<ImageChannel>& channels = {});

/// Reads an image in the format of the file extension. 8-bit values are sRGB.
/// Throws Error or UsageError, which name the file.
Image read_image(const std::filesystem::path& file);

/// Reads the channels of an OpenEXR file other than R, G and B, sorted by name. Throws Error, which
/// names the file.
std::vector<ImageChannel> read_image_channels(const std::filesystem::path& file);

}  // namespace winnow
