// SPDX-License-Identifier: MIT
#include <array>
#include <istream>
#include <memory>
#include <ostream>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"
#include "image/srgb.h"

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_FAILURE_USERMSG
#include <stb_image.h>
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace winnow {
namespace {

constexpr int kJpgQuality = 95;
constexpr int kJpgFirstByte = 0xff;

// Each byte of a file encodes at most this many pixels: a header that claims more is wrong.
constexpr uint64_t kMaxPixelsPerPngByte = 8 * 1032;  // 1 bit per pixel, deflated 1032 : 1
constexpr uint64_t kMaxPixelsPerJpgByte = 8 * 64;    // 1 bit per block of 8x8

void put(void* stream, void* bytes, int count) {
  static_cast<std::ostream*>(stream)->write(static_cast<const char*>(bytes), count);
}

void check_encoded(int ok) {
  if (!ok) throw Error("the image cannot be encoded: not enough memory");
}

std::vector<uint8_t> to_8_bits(const Image& image, const ToneMapping& mapping) {
  std::vector<uint8_t> bytes;
  bytes.reserve(image.pixels.size() * 3);
  for (const glm::vec3& pixel : image.pixels)
    for (uint8_t channel : tone_map(pixel, mapping)) bytes.push_back(channel);
  return bytes;
}

/// Adapts a standard input stream to stb_image. Records reads past the end, which some versions of
/// stb_image replace by zeros.
struct Source {
  std::istream& stream;
  bool truncated = false;

  static int read(void* user, char* bytes, int count) {
    Source& source = *static_cast<Source*>(user);
    source.stream.read(bytes, count);
    source.truncated |= source.stream.gcount() == 0;
    return int(source.stream.gcount());
  }
  static void skip(void* user, int count) {
    Source& source = *static_cast<Source*>(user);
    source.stream.clear();
    source.stream.seekg(count, std::ios::cur);
  }
  static int at_end(void* user) {
    return static_cast<Source*>(user)->stream.peek() == std::istream::traits_type::eof();
  }
  static constexpr stbi_io_callbacks kCallbacks = {read, skip, at_end};

  void rewind() {
    stream.clear();
    stream.seekg(0);
    truncated = false;
  }
};

uint64_t max_pixel_count(std::istream& stream) {
  uint64_t per_byte = stream.peek() == kJpgFirstByte ? kMaxPixelsPerJpgByte : kMaxPixelsPerPngByte;
  stream.seekg(0, std::ios::end);
  return per_byte * uint64_t(stream.tellg());
}

std::array<float, 256> inverse_tone_map_table() {
  std::array<float, 256> table;
  for (int encoded = 0; encoded < 256; ++encoded)
    table[encoded] = invert_tone_map(uint8_t(encoded));
  return table;
}

constexpr int kEnd = std::istream::traits_type::eof();
constexpr int kMarkerPrefix = 0xff, kStuffedZero = 0x00;
constexpr int kFirstRestart = 0xd0, kEndOfImage = 0xd9;  // markers in between have no segment
constexpr int kHuffmanTables = 0xc4;
constexpr int kLengthBytes = 2;

/// The next marker, or kEnd. Skips entropy-coded data, in which a prefix is followed by a stuffed
/// zero or belongs to a restart marker.
int next_marker(std::istream& stream) {
  for (int byte = stream.get(); byte != kEnd; byte = stream.get()) {
    if (byte != kMarkerPrefix) continue;
    while (byte == kMarkerPrefix) byte = stream.get();
    if (byte == kEnd) return kEnd;
    bool has_no_segment = byte >= kFirstRestart && byte <= kEndOfImage;
    if (byte != kStuffedZero && !has_no_segment) return byte;
  }
  return kEnd;
}

/// Reads the tables of one segment: class and id, 16 counts by code length, and as many symbols.
void check_tables(std::istream& stream, int length) {
  constexpr int kCodeLengths = 16, kMaxCodes = 256;
  while (length > 0 && stream) {
    stream.get();
    int code_count = 0;
    for (int bits = 1; bits <= kCodeLengths; ++bits) {
      int count = stream.get();
      if (count != kEnd) code_count += count;
    }
    if (code_count > kMaxCodes) throw Error("corrupt: a Huffman table has too many codes");
    stream.ignore(code_count);
    length -= 1 + kCodeLengths + code_count;
  }
}

}  // namespace

void write_png(std::ostream& stream, const Image& image, const ToneMapping& mapping) {
  int width = int(image.width), height = int(image.height);
  std::vector<uint8_t> bytes = to_8_bits(image, mapping);
  check_encoded(stbi_write_png_to_func(put, &stream, width, height, 3, bytes.data(), 3 * width));
}

void write_jpg(std::ostream& stream, const Image& image, const ToneMapping& mapping) {
  std::vector<uint8_t> bytes = to_8_bits(image, mapping);
  check_encoded(stbi_write_jpg_to_func(put, &stream, int(image.width), int(image.height), 3,
                                       bytes.data(), kJpgQuality));
}

void write_rgba_png(std::ostream& stream, const ByteImage& image) {
  constexpr int kChannels = 4;
  check_encoded(stbi_write_png_to_func(put, &stream, int(image.width), int(image.height), kChannels,
                                       image.values.data(), kChannels * int(image.width)));
}

ByteImage read_bytes(std::istream& stream, int channels) {
  if (is_webp(stream)) return read_webp(stream, channels);
  if (stream.peek() == kJpgFirstByte) check_jpg_tables(stream);

  Source source{stream};
  source.rewind();
  int width = 0, height = 0, channel_count = 0;
  if (!stbi_info_from_callbacks(&Source::kCallbacks, &source, &width, &height, &channel_count))
    throw Error("not a readable PNG, JPEG, WebP, TGA or BMP file");
  check_image_size(width, height);
  source.rewind();
  if (uint64_t(width) * uint64_t(height) > max_pixel_count(stream))
    throw Error("truncated: it is too short for its size in pixels");

  source.rewind();
  std::unique_ptr<stbi_uc, void (*)(void*)> bytes(
      stbi_load_from_callbacks(&Source::kCallbacks, &source, &width, &height, &channel_count,
                               channels),
      stbi_image_free);
  if (source.truncated) throw Error("truncated");
  if (!bytes) throw Error(std::string("cannot be decoded: ") + stbi_failure_reason());

  const size_t count = size_t(width) * size_t(height) * size_t(channels);
  return {uint32_t(width), uint32_t(height), {bytes.get(), bytes.get() + count}};
}

Image read_png_jpg(std::istream& stream) {
  const ByteImage bytes = read_bytes(stream, 3);
  Image image{bytes.width, bytes.height, {}};
  image.pixels.reserve(bytes.values.size() / 3);
  const std::array<float, 256> linear = inverse_tone_map_table();
  for (size_t i = 0; i < bytes.values.size(); i += 3)
    image.pixels.emplace_back(linear[bytes.values[i]], linear[bytes.values[i + 1]],
                              linear[bytes.values[i + 2]]);
  return image;
}

void check_jpg_tables(std::istream& stream) {
  for (int marker = next_marker(stream); marker != kEnd; marker = next_marker(stream)) {
    int high = stream.get(), low = stream.get();
    if (high == kEnd || low == kEnd) return;
    int length = (high << 8 | low) - kLengthBytes;
    if (marker == kHuffmanTables)
      check_tables(stream, length);
    else if (length > 0)
      stream.ignore(length);
  }
}

}  // namespace winnow
