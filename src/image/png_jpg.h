#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "image/image.h"
#include "image/tone_mapping.h"

namespace winnow {

/// Most pixels of an image in these formats: the encoders count bytes in 31 bits.
inline constexpr uint64_t kMaxPngJpgPixels = 500'000'000;

/// Tone-mapped, 8 bits per channel, lossless.
/// Throws Error with the reason, without the name of the file; so do the others.
void write_png(std::ostream& stream, const Image& image, const ToneMapping& mapping = {});

/// Tone-mapped, 8 bits per channel, lossy.
void write_jpg(std::ostream& stream, const Image& image, const ToneMapping& mapping = {});

/// An image as the bytes of its file say.
struct ByteImage {
  uint32_t width = 0, height = 0;  ///< pixels
  std::vector<uint8_t> values;     ///< [height][width][channels], top row first
};

/// Reads PNG, JPEG, TGA or BMP, told apart by their content. Grey becomes three channels; a missing
/// alpha is 255.
/// @param channels  3 or 4
ByteImage read_bytes(std::istream& stream, int channels);

/// Writes the bytes of four channels as they are.
void write_rgba_png(std::ostream& stream, const ByteImage& image);

/// Reads the same, told apart by their content, as sRGB; alpha is dropped.
Image read_png_jpg(std::istream& stream);

}  // namespace winnow
