// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"
#include "image/byte_reader.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

constexpr uint8_t kBmpOpaque = 255;
constexpr size_t kBmpFileHeader = 14;  ///< bytes before the image header
constexpr uint32_t kCoreHeader = 12, kInfoHeader = 40, kMasksHeader = 52, kAlphaHeader = 56,
                   kVersion4Header = 108;

enum BmpCompression : uint32_t {
  kBmpPlain = 0,
  kBmpRuns8 = 1,
  kBmpRuns4 = 2,
  kBmpMasks = 3,
  kBmpAlphaMasks = 6
};

struct BmpHeader {
  uint32_t first_pixel = 0;  ///< offset in the file
  uint32_t size = 0;         ///< bytes of the image header
  int64_t width = 0, height = 0;
  bool is_top_first = false;
  uint32_t bits = 0;  ///< bits per pixel
  uint32_t compression = kBmpPlain;
  uint32_t color_count = 0;         ///< colours in the palette
  std::array<uint32_t, 4> masks{};  ///< red, green, blue and alpha; 0 for an absent channel
  uint32_t color_space = 0;         ///< in headers of version 4 and 5
};

/// Reads both headers. Microsoft, BITMAPFILEHEADER, BITMAPCOREHEADER and BITMAPV5HEADER.
BmpHeader read_bmp_header(ByteReader& reader) {
  BmpHeader header;
  reader.take(kBmpFileHeader - sizeof header.first_pixel);
  header.first_pixel = reader.read_32();
  header.size = reader.read_32();
  if (header.size == kCoreHeader) {
    header.width = reader.read_16();
    header.height = reader.read_16();
    reader.read_16();  // planes
    header.bits = reader.read_16();
    return header;
  }
  if (header.size < kInfoHeader) throw Error("cannot be decoded: this kind of BMP is unknown");
  header.width = int32_t(reader.read_32());
  header.height = int32_t(reader.read_32());
  header.is_top_first = header.height < 0;
  if (header.is_top_first) header.height = -header.height;
  reader.read_16();  // planes
  header.bits = reader.read_16();
  header.compression = reader.read_32();
  reader.take(3 * sizeof(uint32_t));  // skip the bytes of pixels and the resolution
  header.color_count = reader.read_32();
  reader.read_32();  // important colours

  const bool has_masks = header.compression == kBmpMasks || header.compression == kBmpAlphaMasks;
  size_t mask_count = 0;
  if (header.size >= kMasksHeader)
    mask_count = header.size >= kAlphaHeader ? 4 : 3;
  else if (has_masks)
    mask_count = header.compression == kBmpAlphaMasks ? 4 : 3;
  for (size_t i = 0; i < mask_count; ++i) header.masks[i] = reader.read_32();
  if (!has_masks) header.masks = {};
  size_t used = kInfoHeader + mask_count * sizeof(uint32_t);
  if (header.size >= used + sizeof header.color_space && header.size >= kVersion4Header) {
    header.color_space = reader.read_32();
    used += sizeof header.color_space;
  }
  if (header.size > used) reader.take(header.size - used);
  return header;
}

/// Throws Error for kinds that are not supported, and sets missing masks of 16 and 32 bits.
void check_bmp(BmpHeader& header) {
  if (header.compression == kBmpRuns8 || header.compression == kBmpRuns4)
    throw Error("cannot be decoded: a BMP with run lengths (RLE) is not supported");
  if (header.compression != kBmpPlain && header.compression != kBmpMasks &&
      header.compression != kBmpAlphaMasks)
    throw Error(fmt::format("cannot be decoded: the compression {} of a BMP is not supported",
                            header.compression));
  constexpr std::array<uint32_t, 6> kSizes = {1, 4, 8, 16, 24, 32};
  if (std::find(kSizes.begin(), kSizes.end(), header.bits) == kSizes.end())
    throw Error(fmt::format("cannot be decoded: a BMP of {} bits is not supported", header.bits));
  check_image_size(header.width, header.height);
  if (header.masks[0] || header.masks[1] || header.masks[2]) return;
  if (header.bits == 16) header.masks = {0x7c00, 0x03e0, 0x001f, 0};
  if (header.bits == 24) header.masks = {0xff0000, 0xff00, 0xff, 0};
  if (header.bits == 32) header.masks = {0xff0000, 0xff00, 0xff, 0xff000000};
}

using BmpPalette = std::vector<uint32_t>;  ///< [colour], blue in the lowest byte

BmpPalette read_palette(ByteReader& reader, const BmpHeader& header) {
  constexpr uint32_t kMaxPaletteBits = 8;
  BmpPalette palette;
  if (header.bits > kMaxPaletteBits) return palette;
  const uint32_t most = 1u << header.bits;
  const uint32_t count = header.color_count ? std::min(header.color_count, most) : most;
  const size_t color_bytes = header.size == kCoreHeader ? 3 : 4;
  // Some files store fewer colours than their header says.
  for (uint32_t i = 0; i < count && reader.left() >= color_bytes; ++i)
    palette.push_back(reader.read(color_bytes));
  return palette;
}

/// Returns the bits of `value` in a mask, scaled to a byte.
uint8_t masked(uint32_t value, uint32_t mask) {
  const int shift = std::countr_zero(mask);
  const uint64_t max = mask >> shift;
  return uint8_t(((value & mask) >> shift) * uint64_t{kBmpOpaque} / max);
}

void decode_bmp_row(const BmpHeader& header, const BmpPalette& palette, std::string_view row,
                    uint8_t* out) {
  ByteReader reader(row);
  for (uint32_t x = 0; x < header.width; ++x, out += 4) {
    if (header.bits > 8) {
      const uint32_t value = reader.read(header.bits / 8);
      for (size_t channel = 0; channel < 4; ++channel) {
        const uint32_t mask = header.masks[channel];
        out[channel] = mask ? masked(value, mask) : channel == 3 ? kBmpOpaque : 0;
      }
      continue;
    }
    const uint32_t bit = x * header.bits, shift = 8 - header.bits - bit % 8;
    const uint32_t index = uint8_t(row[bit / 8]) >> shift & ((1u << header.bits) - 1);
    const uint32_t color = index < palette.size() ? palette[index] : 0;
    out[0] = uint8_t(color >> 16);
    out[1] = uint8_t(color >> 8);
    out[2] = uint8_t(color);
    out[3] = kBmpOpaque;
  }
}

/// Sets alpha to 255 if it is 0 everywhere: many programs write such files and mean no alpha.
void make_opaque_if_invisible(std::vector<uint8_t>& values) {
  for (size_t i = 3; i < values.size(); i += 4)
    if (values[i] != 0) return;
  for (size_t i = 3; i < values.size(); i += 4) values[i] = kBmpOpaque;
}

}  // namespace

ByteImage decode_bmp(std::string_view file) {
  ByteReader reader(file);
  BmpHeader header = read_bmp_header(reader);
  check_bmp(header);
  const BmpPalette palette = read_palette(reader, header);

  constexpr size_t kRowAlignment = 4;
  const size_t width = size_t(header.width), height = size_t(header.height);
  const size_t row_bytes = (width * header.bits + 7) / 8;
  const size_t stride = (row_bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  const size_t left = file.size() - std::min<size_t>(header.first_pixel, file.size());
  // The last row may lack its padding.
  if (left < stride * (height - 1) + row_bytes)
    throw Error("truncated: it is too short for its size in pixels");

  ByteImage image{uint32_t(width), uint32_t(height), std::vector<uint8_t>(width * height * 4)};
  for (size_t row = 0; row < height; ++row) {
    const size_t y = header.is_top_first ? row : height - 1 - row;
    decode_bmp_row(header, palette, file.substr(header.first_pixel + row * stride, row_bytes),
                   &image.values[y * width * 4]);
  }
  make_opaque_if_invisible(image.values);
  constexpr uint32_t kLinkedProfile = 0x4c494e4b, kEmbeddedProfile = 0x4d424544;  // LINK, MBED
  if (header.color_space == kLinkedProfile || header.color_space == kEmbeddedProfile)
    image.color_warnings.push_back("its colour profile is ignored: its colours are taken as sRGB");
  return image;
}

}  // namespace winnow
