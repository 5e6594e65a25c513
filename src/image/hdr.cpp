// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <istream>
#include <iterator>
#include <ostream>
#include <string>

#include "base/error.h"
#include "base/limits.h"
#include "image/byte_reader.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

using Rgbe = std::array<uint8_t, 4>;

constexpr int kExponentBias = 128 + 8;   // mantissas are 8-bit integers
constexpr double kMaxHdr = 0x1.FEp+126;  // mantissa 255, exponent 255
constexpr uint32_t kMinRunWidth = 8,
                   kMaxRunWidth = 0x7fff;  // widths that may be run-length encoded
constexpr int kMaxLineLength = 1024;

Rgbe to_rgbe(const glm::vec3& radiance) {
  std::array<double, 3> value;
  for (int channel = 0; channel < 3; ++channel)  // NaN compares false
    value[channel] = radiance[channel] > 0.0f ? std::min<double>(radiance[channel], kMaxHdr) : 0.0;
  double largest = std::max({value[0], value[1], value[2]});
  if (largest < 0x1p-128) return {};

  int exponent = std::ilogb(largest) + 1;
  if (std::lround(std::ldexp(largest, 8 - exponent)) > 255) ++exponent;  // rounds up to 256
  Rgbe rgbe;
  for (int channel = 0; channel < 3; ++channel)
    rgbe[channel] = uint8_t(std::lround(std::ldexp(value[channel], 8 - exponent)));
  rgbe[3] = uint8_t(exponent + 128);
  return rgbe;
}

glm::vec3 from_rgbe(const Rgbe& rgbe) {
  if (rgbe[3] == 0) return glm::vec3(0.0f);
  float scale = std::ldexp(1.0f, rgbe[3] - kExponentBias);
  return scale * glm::vec3(rgbe[0], rgbe[1], rgbe[2]);
}

std::string read_line(std::istream& stream) {
  char line[kMaxLineLength];
  stream.getline(line, kMaxLineLength);
  if (!stream) throw Error("not a Radiance HDR file: its header has no end");
  return line;
}

/// Reads up to the first scanline. Returns an image that has a size but no pixels yet.
Image read_hdr_header(std::istream& stream) {
  if (read_line(stream).rfind("#?", 0) != 0)
    throw Error("not a Radiance HDR file: it does not begin with #?");
  for (std::string line = read_line(stream); !line.empty(); line = read_line(stream))
    if (line.rfind("FORMAT=", 0) == 0 && line != "FORMAT=32-bit_rle_rgbe")
      throw Error("its pixels have another format; expected 32-bit_rle_rgbe");

  long long width = 0, height = 0;
  if (std::sscanf(read_line(stream).c_str(), "-Y %11lld +X %11lld", &height, &width) != 2)
    throw Error("its size is given in another order; expected -Y HEIGHT +X WIDTH");
  check_image_size(width, height);
  check_image_bytes(width, height, kMaxPixelsPerHdrByte * bytes_left(stream));
  return {uint32_t(width), uint32_t(height), {}};
}

/// Reads one channel of a run-length encoded scanline: runs of 1 to 127, literals of 1 to 128.
void read_runs(ByteReader& reader, std::vector<Rgbe>& row, int channel) {
  for (size_t x = 0; x < row.size();) {
    size_t count = reader.read_8();
    bool run = count > 128;
    if (run) count -= 128;
    if (count == 0 || count > row.size() - x) throw Error("corrupt: a run exceeds its row");
    uint8_t value = 0;
    for (size_t end = x + count, first = x; x < end; ++x) {
      if (!run || x == first) value = reader.read_8();
      row[x][channel] = value;
    }
  }
}

void read_row(ByteReader& reader, std::vector<Rgbe>& row) {
  row[0] = std::bit_cast<Rgbe>(reader.read_32());
  bool may_run = row.size() >= kMinRunWidth && row.size() <= kMaxRunWidth;
  if (may_run && row[0][0] == 2 && row[0][1] == 2 && row[0][2] < 128) {
    if ((row[0][2] << 8 | row[0][3]) != int(row.size()))
      throw Error("corrupt: a row has the wrong width");
    for (int channel = 0; channel < 4; ++channel) read_runs(reader, row, channel);
  } else {
    for (size_t x = 1; x < row.size(); ++x) row[x] = std::bit_cast<Rgbe>(reader.read_32());
  }
}

}  // namespace

void write_hdr(std::ostream& stream, const Image& image) {
  // Scanlines are written flat: no pixel resembles the start of a run-length encoded row, which has
  // small mantissas.
  stream << fmt::format("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {} +X {}\n", image.height,
                        image.width);
  for (const glm::vec3& pixel : image.pixels) {
    Rgbe rgbe = to_rgbe(pixel);
    stream.write(reinterpret_cast<const char*>(rgbe.data()), rgbe.size());
  }
}

Image read_hdr(std::istream& stream) {
  Image image = read_hdr_header(stream);
  image.pixels.reserve(size_t(image.width) * image.height);
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  ByteReader reader(bytes);
  std::vector<Rgbe> row(image.width);
  for (uint32_t y = 0; y < image.height; ++y) {
    read_row(reader, row);
    for (const Rgbe& rgbe : row) image.pixels.push_back(from_rgbe(rgbe));
  }
  return image;
}

}  // namespace winnow
