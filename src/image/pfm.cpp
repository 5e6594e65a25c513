// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <istream>
#include <ostream>

#include "base/error.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
void write_pfm(std::ostream& stream, const Image& image) {
  bool little_endian = std::endian::native == std::endian::little;
  stream << fmt::format("PF\n{} {}\n{}\n", image.width, image.height,
                        little_endian ? "-1.0" : "1.0");
  for (uint32_t row = image.height; row-- > 0;)
    stream.write(reinterpret_cast<const char*>(&image.pixels[size_t(row) * image.width]),
                 std::streamsize(image.width * sizeof(glm::vec3)));
}

namespace {

/// Skips the blanks up to the end of the line or, where no line ends, one white space, which is all
/// that the format requires: the first pixels may look like blanks. Returns false at the end.
bool skip_end_of_line(std::istream& stream) {
  const std::streampos start = stream.tellg();
  int next = stream.get();
  while (next == ' ' || next == '\t' || next == '\r') next = stream.get();
  if (next != '\n') {
    stream.clear();
    stream.seekg(start + std::streamoff(1));
  }
  return bool(stream);
}

}  // namespace

Image read_pfm(std::istream& stream) {
  char magic[2] = {};
  stream.read(magic, 2);
  if (!stream || magic[0] != 'P' || (magic[1] != 'F' && magic[1] != 'f'))
    throw Error("not a PFM file: it does not begin with PF or Pf");
  const size_t channel_count = magic[1] == 'F' ? 3 : 1;
  int64_t width = 0, height = 0;
  float scale = 0.0f;
  stream >> width >> height >> scale;
  if (!stream || !skip_end_of_line(stream) || scale == 0.0f || !std::isfinite(scale))
    throw Error("not a PFM file: expected width, height and scale after PF");
  check_image_size(width, height);
  const bool is_little_endian = scale < 0.0f;
  const bool is_swapped = is_little_endian != (std::endian::native == std::endian::little);

  const size_t row_size = size_t(width) * channel_count;
  const uint64_t expected = row_size * sizeof(float) * size_t(height), found = bytes_left(stream);
  if (found < expected)
    throw Error(fmt::format("truncated: it has {} bytes of pixels; expected {}", found, expected));

  Image image{uint32_t(width), uint32_t(height), {}};
  image.pfm_scale = std::abs(scale);
  image.pixels.resize(size_t(width) * size_t(height));
  std::vector<std::array<char, sizeof(float)>> values(row_size);
  for (size_t row = image.height; row-- > 0;) {
    stream.read(values.data()->data(), std::streamsize(row_size * sizeof(float)));
    if (!stream) throw Error("the pixels cannot be read");
    if (is_swapped)
      for (auto& value : values) std::ranges::reverse(value);
    for (size_t x = 0; x < image.width; ++x)
      for (size_t channel = 0; channel < 3; ++channel)
        image.pixels[row * image.width + x][int(channel)] =
            std::bit_cast<float>(values[x * channel_count + channel % channel_count]);
  }
  return image;
}

}  // namespace winnow
