// SPDX-License-Identifier: MIT
#include <fmt/core.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "image/basis/basis_universal.h"
#include "image/byte_reader.h"
#include "image/image_formats.h"
#include "image/image_io.h"

// Khronos, "KTX File Format Specification", version 2, and "KHR_texture_basisu" of glTF.

namespace winnow {
namespace {

constexpr std::string_view kKtx2Identifier("\xabKTX 20\xbb\r\n\x1a\n", 12);
constexpr uint32_t kKtxBlockSide = 4, kKtxBlockBytes = 16;

enum class Supercompression : uint32_t { kNone, kBasisLz, kZstandard };
enum class ColorModel : uint8_t { kEtc1s = 163, kUastc = 166 };

/// Channels that a sample of the data format descriptor stands for.
enum class SampleChannels : uint8_t { kRgb = 0, kUastcRgba = 3, kEtc1sGreen = 4, kEtc1sAlpha = 15 };

/// A part of the file.
struct FilePart {
  uint64_t offset, size;
};

struct Ktx2Header {
  uint32_t width, height;
  uint32_t image_count;  ///< images of all mip levels
  Supercompression supercompression;
  FilePart descriptor, pairs, global;  ///< data format, keys and values, global data of BasisLZ
  FilePart level;                      ///< the largest mip level
};

/// What the data format descriptor says.
struct DataFormat {
  ColorModel model;
  std::vector<SampleChannels> samples;
};

uint64_t read_64(ByteReader& reader) {
  constexpr unsigned kHalf = 32;  // bits
  const uint64_t low = reader.read_32();
  return low | uint64_t{reader.read_32()} << kHalf;
}

FilePart read_file_part(ByteReader& reader) {
  const uint64_t offset = reader.read_32();
  return {offset, reader.read_32()};
}

FilePart read_long_file_part(ByteReader& reader) {
  const uint64_t offset = read_64(reader);
  return {offset, read_64(reader)};
}

std::string_view bytes_of_part(std::string_view file, const FilePart& part) {
  if (part.offset > file.size() || part.size > file.size() - part.offset) throw Error("truncated");
  return file.substr(part.offset, part.size);
}

Ktx2Header read_ktx2_header(std::string_view file) {
  ByteReader reader(file);
  reader.take(kKtx2Identifier.size());
  const uint32_t format = reader.read_32();
  reader.read_32();  // size of a component
  Ktx2Header header{};
  header.width = reader.read_32();
  header.height = reader.read_32();
  const uint32_t depth = reader.read_32(), layers = reader.read_32(), faces = reader.read_32(),
                 levels = reader.read_32();
  header.supercompression = Supercompression(reader.read_32());
  if (format != 0)
    throw Error(fmt::format(
        "this KTX2 file has texels of the Vulkan format {}; expected ETC1S or UASTC", format));
  if (depth > 1 || layers > 1 || faces != 1)
    throw Error("this KTX2 file has several images; expected a single one");
  header.image_count = std::max(levels, 1u);
  header.descriptor = read_file_part(reader);
  header.pairs = read_file_part(reader);
  header.global = read_long_file_part(reader);
  header.level = read_long_file_part(reader);
  check_image_size(header.width, header.height);
  check_image_bytes(header.width, header.height,
                    std::max(kMaxFreeKtxPixels, kMaxPixelsPerKtxByte * file.size()));
  return header;
}

DataFormat read_data_format(std::string_view descriptor) {
  constexpr size_t kBeforeSize = 10, kBetween = 2, kFixed = 24, kSample = 16;  // bytes
  constexpr uint8_t kChannelMask = 15, kPremultiplied = 1;
  ByteReader reader(descriptor);
  reader.take(kBeforeSize);
  const size_t block_size = reader.read_16();
  DataFormat format{};
  format.model = ColorModel(reader.read_8());
  reader.take(kBetween);  // primaries and transfer function; the use of a texture decides on these
  const uint8_t flags = reader.read_8();
  if (format.model != ColorModel::kEtc1s && format.model != ColorModel::kUastc)
    throw Error(fmt::format("this KTX2 file has the colour model {}; expected ETC1S or UASTC",
                            unsigned(format.model)));
  if (flags & kPremultiplied)
    throw Error("the colours of this KTX2 file are multiplied by alpha; expected straight alpha");
  reader.take(kFixed - kBeforeSize - kBetween);
  for (size_t at = kFixed; at + kSample <= block_size; at += kSample) {
    constexpr size_t kBeforeChannel = 3;
    reader.take(kBeforeChannel);
    format.samples.push_back(SampleChannels(reader.read_8() & kChannelMask));
    reader.take(kSample - kBeforeChannel - 1);
  }
  if (format.samples.empty()) throw Error("this KTX2 file describes no channels");
  return format;
}

/// Throws Error if a file says that its channels are swapped.
void check_swizzle(std::string_view pairs) {
  constexpr size_t kAlignment = 4;
  constexpr std::string_view kKey("KTXswizzle\0", 11), kPlain = "rgba";
  ByteReader reader(pairs);
  while (reader.left() > 0) {
    const std::string_view pair = reader.take(reader.read_32());
    reader.take(std::min(reader.left(), (kAlignment - pair.size() % kAlignment) % kAlignment));
    if (pair.starts_with(kKey) && !pair.substr(kKey.size()).starts_with(kPlain))
      throw Error("the channels of this KTX2 file are swapped by KTXswizzle; expected \"rgba\"");
  }
}

ByteImage decode_etc1s(std::string_view file, const Ktx2Header& header, const DataFormat& format) {
  constexpr uint32_t kPredicted = 2;  // flag of a frame of a video
  constexpr size_t kImage = 20;       // bytes of the description of an image
  ByteReader global(bytes_of_part(file, header.global));
  const uint32_t endpoint_count = global.read_16(), selector_count = global.read_16();
  const uint32_t endpoint_bytes = global.read_32(), selector_bytes = global.read_32(),
                 table_bytes = global.read_32();
  global.read_32();  // size of data that ETC1S does not have
  const uint32_t flags = global.read_32();
  const FilePart first = read_file_part(global), second = read_file_part(global);
  global.take(kImage * (header.image_count - 1));
  if (flags & kPredicted) throw Error("this KTX2 file is a video; expected a single image");

  const std::string_view endpoints = global.take(endpoint_bytes),
                         selectors = global.take(selector_bytes);
  const Etc1sDecoder decoder(endpoints, endpoint_count, selectors, selector_count,
                             global.take(table_bytes));
  const std::string_view level = bytes_of_part(file, header.level);
  constexpr size_t kChannels = 4;
  constexpr uint8_t kOpaque = 255;
  ByteImage image{header.width, header.height, {}};
  for (const glm::u8vec3 color :
       decoder.decode(bytes_of_part(level, first), header.width, header.height))
    image.values.insert(image.values.end(), {color.x, color.y, color.z, kOpaque});
  if (format.samples.size() > 1) {
    const size_t channel = format.samples[1] == SampleChannels::kEtc1sGreen ? 1 : 3;
    uint8_t* value = &image.values[channel];
    for (const glm::u8vec3 color :
         decoder.decode(bytes_of_part(level, second), header.width, header.height)) {
      *value = color.y;
      value += kChannels;
    }
  }
  return image;
}

/// Returns the blocks of the largest level.
std::string decompress(std::string_view level, size_t size) {
  std::string blocks(size, '\0');
  const size_t found = ZSTD_decompress(blocks.data(), size, level.data(), level.size());
  if (ZSTD_isError(found))
    throw Error(std::string("cannot be decoded: ") + ZSTD_getErrorName(found));
  if (found != size) throw Error("truncated");
  return blocks;
}

ByteImage decode_uastc(std::string_view file, const Ktx2Header& header, const DataFormat& format) {
  constexpr size_t kChannels = 4, kAlpha = 3;
  constexpr uint8_t kOpaque = 255;
  const uint32_t columns = (header.width + kKtxBlockSide - 1) / kKtxBlockSide,
                 rows = (header.height + kKtxBlockSide - 1) / kKtxBlockSide;
  const size_t size = size_t{columns} * rows * kKtxBlockBytes;
  std::string_view level = bytes_of_part(file, header.level);
  std::string decompressed;
  if (header.supercompression == Supercompression::kZstandard)
    level = decompressed = decompress(level, size);
  if (level.size() < size) throw Error("truncated");

  const bool has_alpha = format.samples.front() == SampleChannels::kUastcRgba;
  ByteImage image{header.width, header.height, {}};
  image.values.resize(size_t{header.width} * header.height * kChannels);
  for (uint32_t row = 0; row < rows; ++row)
    for (uint32_t column = 0; column < columns; ++column) {
      const auto texels = decode_uastc_block(level.substr(0, kKtxBlockBytes));
      level.remove_prefix(kKtxBlockBytes);
      const uint32_t left = column * kKtxBlockSide, top = row * kKtxBlockSide;
      for (uint32_t y = top; y < std::min(top + kKtxBlockSide, header.height); ++y)
        for (uint32_t x = left; x < std::min(left + kKtxBlockSide, header.width); ++x) {
          const glm::u8vec4 texel = texels[(y - top) * kKtxBlockSide + x - left];
          uint8_t* values = &image.values[(size_t{y} * header.width + x) * kChannels];
          for (size_t i = 0; i < kChannels; ++i) values[i] = texel[int(i)];
          if (!has_alpha) values[kAlpha] = kOpaque;
        }
    }
  return image;
}

}  // namespace

bool is_ktx2(std::string_view file) {
  return file.starts_with(kKtx2Identifier);
}

ByteImage decode_ktx2(std::string_view file) {
  if (!is_ktx2(file)) throw Error("not a readable KTX2 file");
  const Ktx2Header header = read_ktx2_header(file);
  const DataFormat format = read_data_format(bytes_of_part(file, header.descriptor));
  check_swizzle(bytes_of_part(file, header.pairs));
  const bool is_etc1s = format.model == ColorModel::kEtc1s;
  const bool is_known = is_etc1s ? header.supercompression == Supercompression::kBasisLz
                                 : header.supercompression == Supercompression::kNone ||
                                       header.supercompression == Supercompression::kZstandard;
  if (!is_known)
    throw Error(fmt::format("this KTX2 file has {} texels and the supercompression {}; expected {}",
                            is_etc1s ? "ETC1S" : "UASTC", unsigned(header.supercompression),
                            is_etc1s ? "BasisLZ" : "none or Zstandard"));
  return is_etc1s ? decode_etc1s(file, header, format) : decode_uastc(file, header, format);
}

}  // namespace winnow
