// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/known_keys.h"
#include "image/image.h"
#include "image/image_channel.h"
#include "image/image_io.h"
#include "image/tone_mapping.h"

namespace winnow {

// Readers and writers of the file formats, on binary streams. image_io.h selects one by file
// extension. All throw Error with the reason, without the name of the file.

/// Writes a portable float map: all bits of the floats, bottom row first, in native byte order.
void write_pfm(std::ostream& stream, const Image& image);

/// Reads a colour (PF) or grey (Pf) map of either byte order. Does not multiply by the scale, which
/// it returns.
Image read_pfm(std::istream& stream);

/// Writes Radiance RGBE: linear, 8 bits per channel with the exponent of the largest. Negative
/// values, NaN and values below 2^-128 become 0; values above 1.7e38 become 1.7e38.
/// Ward, "Real Pixels", Graphics Gems II, 1991.
void write_hdr(std::ostream& stream, const Image& image);

/// Reads RGBE or XYZE, flat or run-length encoded, in any order of scanlines. Divides by exposures
/// and colour corrections, and converts primaries.
Image read_hdr(std::istream& stream);

/// Returns the names that headers of Radiance files may have.
const KeyTable& hdr_keys();

/// Writes OpenEXR: R, G, B, alpha if the image has them, and further channels as 32-bit floats or
/// integers, ZIP-compressed.
/// @param channels  further channels, of the size of the image, with distinct names
void write_exr(std::ostream& stream, const Image& image,
               const std::vector<ImageChannel>& channels = {});

/// Reads the main picture of an OpenEXR file of one or more flat parts: colours, or luminance with
/// or without chroma, in the default layer or that of a picture (pictures_among()), and its alpha.
Image read_exr(std::istream& stream, ImageRules rules = ImageRules::kPlain,
               ImageUse use = ImageUse::kColors);

/// Largest number of pixels of a PNG or JPEG image: the encoders count bytes in 31 bits.
inline constexpr uint64_t kMaxPngJpgPixels = 500'000'000;

/// Writes PNG: tone-mapped, 8 bits per channel, lossless, with alpha if the image has it.
void write_png(std::ostream& stream, const Image& image, const ToneMapping& mapping = {});

/// Writes JPEG: tone-mapped, 8 bits per channel, lossy.
void write_jpg(std::ostream& stream, const Image& image, const ToneMapping& mapping = {});

/// Reads PNG, JPEG, WebP, KTX2, TGA or BMP, detected by content, as sRGB. Colours are not
/// multiplied by alpha; an image that is opaque everywhere has none.
Image read_png_jpg(std::istream& stream);

/// An image of 8-bit values as stored in its file.
struct ByteImage {
  uint32_t width = 0, height = 0;          ///< pixels
  std::vector<uint8_t> values;             ///< [height][width][channels], top row first
  std::vector<uint16_t> values_16 = {};    ///< the same in 16 bits; empty for files of 8 bits
  std::vector<std::string> warnings = {};  ///< damage
  /// Properties of its colours that are ignored. They do not matter for other numbers.
  std::vector<std::string> color_warnings = {};
};

/// Reads PNG, JPEG, WebP, KTX2, TGA or BMP, detected by content. Expands grey to three channels;
/// missing alpha is 255.
/// @param channels  3 or 4
ByteImage read_bytes(std::istream& stream, int channels);

/// Writes PNG with four channels, or with three, without conversion.
void write_rgba_png(std::ostream& stream, const ByteImage& image);
void write_rgb_png(std::ostream& stream, const ByteImage& image);

/// Writes PNG with one channel of 16 bits, without conversion and without a chunk that describes
/// colours: readers take the values as they are.
/// @param values  [height][width], top row first
void write_gray16_png(std::ostream& stream, uint32_t width, uint32_t height,
                      const std::vector<uint16_t>& values);

// Decoders for read_bytes(), from the bytes of a whole file to four channels.

/// Decodes PNG. Wrong checksums give a warning, as all viewers show such files.
ByteImage decode_png(std::string_view file);

/// Returns the chunks that PNG files may have.
const KeyTable& png_chunks();

/// Decodes JPEG and converts CMYK to RGB. 12 bits per channel are an error.
ByteImage decode_jpg(std::string_view file);

/// Decodes BMP. Run lengths are an error.
ByteImage decode_bmp(std::string_view file);

/// Decodes lossy or lossless WebP. Animations are an error.
ByteImage decode_webp(std::string_view file);

/// Decodes the largest mip level of a texture of Basis Universal: ETC1S with BasisLZ, or UASTC.
ByteImage decode_ktx2(std::string_view file);
bool is_ktx2(std::string_view file);  ///< true if it starts as a KTX file of version 2

ByteImage decode_tga(std::string_view file);
bool is_tga(std::string_view file);  ///< true if the header is valid

}  // namespace winnow
