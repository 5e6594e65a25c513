// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <istream>
#include <ostream>
#include <string>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

struct PfmHeader {
  uint32_t width = 0, height = 0;
  uint32_t channel_count = 3;
  bool swap_bytes = false;
};

PfmHeader read_pfm_header(std::istream& stream) {
  char magic[2] = {};
  stream.read(magic, 2);
  if (!stream || magic[0] != 'P' || (magic[1] != 'F' && magic[1] != 'f'))
    throw Error("not a PFM file: it does not begin with PF or Pf");

  int64_t width = 0, height = 0;
  float scale = 0.0f;
  stream >> width >> height >> scale;
  if (!stream || stream.get() == EOF || scale == 0.0f || !std::isfinite(scale))
    throw Error("not a PFM file: expected width, height and scale after PF");
  check_image_size(width, height);
  bool little_endian = scale < 0.0f;
  return {uint32_t(width), uint32_t(height), magic[1] == 'F' ? 3u : 1u,
          little_endian != (std::endian::native == std::endian::little)};
}

float swap_bytes(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  bits = bits >> 24 | (bits >> 8 & 0xff00) | (bits << 8 & 0xff0000) | bits << 24;
  return std::bit_cast<float>(bits);
}

}  // namespace

void write_pfm(std::ostream& stream, const Image& image) {
  bool little_endian = std::endian::native == std::endian::little;
  stream << fmt::format("PF\n{} {}\n{}\n", image.width, image.height,
                        little_endian ? "-1.0" : "1.0");
  for (uint32_t row = image.height; row-- > 0;)
    stream.write(reinterpret_cast<const char*>(&image.pixels[size_t(row) * image.width]),
                 std::streamsize(image.width * sizeof(glm::vec3)));
}

Image read_pfm(std::istream& stream) {
  PfmHeader header = read_pfm_header(stream);
  size_t row_size = size_t(header.width) * header.channel_count;
  uint64_t expected = row_size * sizeof(float) * header.height, found = bytes_left(stream);
  if (found < expected)
    throw Error(fmt::format("truncated: it has {} bytes of pixels; expected {}", found, expected));

  Image image{header.width, header.height, {}};
  image.pixels.resize(size_t(header.width) * header.height);
  std::vector<float> values(row_size);
  for (uint32_t row = header.height; row-- > 0;) {
    stream.read(reinterpret_cast<char*>(values.data()), std::streamsize(row_size * sizeof(float)));
    if (!stream) throw Error("the pixels cannot be read");
    if (header.swap_bytes)
      for (float& value : values) value = swap_bytes(value);
    for (uint32_t x = 0; x < header.width; ++x) {
      glm::vec3& pixel = image.pixels[size_t(row) * header.width + x];
      const float* value = &values[size_t(x) * header.channel_count];
      pixel =
          header.channel_count == 3 ? glm::vec3(value[0], value[1], value[2]) : glm::vec3(value[0]);
    }
  }
  return image;
}

}  // namespace winnow
