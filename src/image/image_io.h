// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/limits.h"
#include "image/exr_file.h"
#include "image/image.h"
#include "image/image_channel.h"
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

/// Multiplies colours by alpha, as OpenEXR stores them.
void multiply_by_alpha(Image& image);

/// Divides colours by alpha, as PNG stores them. Those that cover nothing stay as they are.
void divide_by_alpha(Image& image);

/// Rules by which a format of scenes reads its images, where they differ.
enum class ImageRules {
  kPlain,
  kMitsuba,  ///< PFM is multiplied by its scale; OpenEXR: colours keep their white, and the data
             ///< window is the whole image
  kGltf,     ///< colour profiles are ignored
  kPbrt,     ///< the data window of OpenEXR is the whole image
};

/// What the values of an image are.
enum class ImageUse {
  kColors,
  kNumbers,  ///< normals, roughness, opacity: not converted to Rec.709 (but Mitsuba does)
};

/// Reads an image in the format of the file extension. Values of integers are sRGB. The warnings of
/// the result name the file.
/// Throws Error or UsageError, which name the file.
Image read_image(const std::filesystem::path& file, ImageRules rules = ImageRules::kPlain,
                 ImageUse use = ImageUse::kColors);

/// Reads an OpenEXR file with all that it holds. Throws Error, which names the file.
ExrFile read_exr_file(const std::filesystem::path& file);

/// Writes an OpenEXR file with other pictures, like write_image().
void write_exr_file(const std::filesystem::path& file, const ExrFile& content,
                    const std::vector<Image>& images);

}  // namespace winnow
