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
  kHdr,  ///< linear, 8 bits and a shared exponent
  kPfm,  ///< linear, all bits of the floats
  kExr,  ///< linear, all bits of the floats
};

/// True if the format stores floating-point values rather than 8-bit colours.
bool holds_numbers(ImageFormat format);

/// Returns the format of a file extension, case-insensitive. Throws UsageError if it is unknown.
ImageFormat image_format(const std::filesystem::path& file);

/// Throws Error if the format of `file` cannot hold an image of this size.
void check_image_fits(const std::filesystem::path& file, uint32_t width, uint32_t height);

/// Throws Error, without the name of the file, if an image has more than `most` pixels, the number
/// that the bytes of its file can hold.
void check_image_bytes(int64_t width, int64_t height, uint64_t most);

/// Returns the bytes from the position of a stream to its end. Keeps the position.
uint64_t bytes_left(std::istream& stream);

/// Throws Error, without the name of the file, unless both sides are in [1, kMaxImageSide].
void check_image_size(int64_t width, int64_t height);

/// Writes an image in the format of the file extension. Replaces the file completely or not at all.
/// @param mapping   applies to 8-bit formats; others store radiance unchanged
/// @param channels  additional channels of the same size; formats other than OpenEXR omit them
/// Throws Error or UsageError, which name the file.
void write_image(const std::filesystem::path& file, const Image& image,
                 const ToneMapping& mapping = {}, const std::vector<ImageChannel>& channels = {});

/// Rules by which a format of scenes reads its images, where they differ.
enum class ImageRules {
  kPlain,
  kMitsuba,  ///< PFM is multiplied by its scale
  kGltf,     ///< colour profiles are ignored
};

/// Reads an image in the format of the file extension. Values of integers are sRGB. The warnings of
/// the result name the file.
/// Throws Error or UsageError, which name the file.
Image read_image(const std::filesystem::path& file, ImageRules rules = ImageRules::kPlain);

/// Reads the channels of an OpenEXR file other than R, G and B, sorted by name. Throws Error, which
/// names the file.
std::vector<ImageChannel> read_image_channels(const std::filesystem::path& file);

}  // namespace winnow
