// SPDX-License-Identifier: MIT
#include <array>
#include <cstdlib>
#include <istream>
#include <iterator>
#include <new>
#include <ostream>
#include <string>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/srgb.h"

namespace winnow {
namespace {

// An exception leaves stb if an allocation fails, which it does not check. Its memory is then lost,
// but the program ends soon after.

void* memory_for_stb(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace winnow

#define STBIW_MALLOC(bytes) winnow::memory_for_stb(std::malloc(bytes))
#define STBIW_REALLOC(memory, bytes) winnow::memory_for_stb(std::realloc(memory, bytes))
#define STBIW_FREE(memory) std::free(memory)
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

namespace winnow {
namespace {

constexpr int kJpgQuality = 95;

void put(void* stream, void* bytes, int count) {
  static_cast<std::ostream*>(stream)->write(static_cast<const char*>(bytes), count);
}

void check_encoded(int ok) {
  if (!ok) throw Error("the image cannot be encoded");
}

std::vector<uint8_t> to_8_bits(const Image& image, const ToneMapping& mapping) {
  std::vector<uint8_t> bytes;
  bytes.reserve(image.pixels.size() * 3);
  for (const glm::vec3& pixel : image.pixels)
    for (uint8_t channel : tone_map(pixel, mapping)) bytes.push_back(channel);
  return bytes;
}

std::array<float, 256> inverse_tone_map_table() {
  std::array<float, 256> table;
  for (int encoded = 0; encoded < 256; ++encoded)
    table[encoded] = invert_tone_map(uint8_t(encoded));
  return table;
}

/// Decodes a file by its content. TGA is tried last, as it has no magic number.
ByteImage decode_image(std::string_view file) {
  if (file.starts_with("\x89PNG")) return decode_png(file);
  if (file.starts_with("\xff\xd8")) return decode_jpg(file);
  if (file.starts_with("BM")) return decode_bmp(file);
  if (is_webp(file)) return decode_webp(file);
  if (is_tga(file)) return decode_tga(file);
  throw Error("not a readable PNG, JPEG, WebP, TGA or BMP file");
}

void drop_alpha(std::vector<uint8_t>& values) {
  size_t kept = 0;
  for (size_t i = 0; i + 3 < values.size(); i += 4)
    for (size_t channel = 0; channel < 3; ++channel) values[kept++] = values[i + channel];
  values.resize(kept);
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
  const std::string file(std::istreambuf_iterator<char>(stream), {});
  ByteImage image = decode_image(file);
  if (channels == 3) drop_alpha(image.values);
  return image;
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

}  // namespace winnow
