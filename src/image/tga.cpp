// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "image/byte_reader.h"
#include "image/image_formats.h"
#include "image/image_io.h"

namespace winnow {
namespace {

using Rgba = std::array<uint8_t, 4>;

constexpr uint8_t kTgaOpaque = 255;
constexpr size_t kMaxTgaRun = 128;  ///< pixels in a packet

/// Content of a pixel: the image type of a file without the bit for run lengths.
enum TgaPixels : uint8_t { kTgaIndices = 1, kTgaColors = 2, kTgaGreys = 3 };

/// Truevision, "TGA File Format Specification", version 2.0, 1991.
struct TgaHeader {
  uint8_t id_size = 0;     ///< bytes of a comment after the header
  uint8_t has_map = 0;     ///< 1 if a colour map follows
  uint8_t pixels = 0;      ///< TgaPixels
  bool is_packed = false;  ///< has run lengths
  uint32_t map_first = 0;  ///< index of the first colour of the map
  uint32_t map_count = 0;  ///< colours in the map
  uint32_t map_bits = 0;   ///< bits per colour of the map
  uint32_t width = 0, height = 0;
  uint32_t bits = 0;          ///< bits per pixel
  bool is_top_first = false;  ///< true if the top row is first, else the bottom row
  bool is_right_first = false;

  size_t pixel_bytes() const { return (bits + 7) / 8; }
  size_t map_color_bytes() const { return (map_bits + 7) / 8; }
};

bool is_color_size(uint32_t bits) {
  return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

/// Returns the header if it is valid. The format has no magic number.
std::optional<TgaHeader> read_tga_header(ByteReader& reader) {
  constexpr size_t kHeaderBytes = 18;
  if (reader.left() < kHeaderBytes) return {};
  constexpr uint8_t kPacked = 8, kRightFirst = 0x10, kTopFirst = 0x20;
  TgaHeader header;
  header.id_size = reader.read_8();
  header.has_map = reader.read_8();
  const uint8_t type = reader.read_8();
  header.is_packed = type & kPacked;
  header.pixels = type & ~kPacked;
  header.map_first = reader.read_16();
  header.map_count = reader.read_16();
  header.map_bits = reader.read_8();
  reader.read_32();  // the origin on a screen
  header.width = reader.read_16();
  header.height = reader.read_16();
  header.bits = reader.read_8();
  const uint8_t descriptor = reader.read_8();
  header.is_top_first = descriptor & kTopFirst;
  header.is_right_first = descriptor & kRightFirst;

  if (header.has_map > 1 || header.width == 0 || header.height == 0) return {};
  if (header.has_map && !is_color_size(header.map_bits)) return {};
  const bool is_known = header.pixels == kTgaIndices
                            ? header.has_map && (header.bits == 8 || header.bits == 16)
                        : header.pixels == kTgaColors ? is_color_size(header.bits)
                        : header.pixels == kTgaGreys  ? header.bits == 8 || header.bits == 16
                                                      : false;
  return is_known ? std::optional(header) : std::nullopt;
}

Rgba tga_color(uint32_t value, uint32_t bits) {
  if (bits <= 16) {
    constexpr uint32_t kMax = 31;
    auto channel = [&](int shift) { return uint8_t((value >> shift & kMax) * kTgaOpaque / kMax); };
    return {channel(10), channel(5), channel(0), kTgaOpaque};
  }
  return {uint8_t(value >> 16), uint8_t(value >> 8), uint8_t(value),
          bits == 32 ? uint8_t(value >> 24) : kTgaOpaque};
}

class TgaDecoder {
 public:
  TgaDecoder(const TgaHeader& header, ByteReader reader) : header_(header), reader_(reader) {}

  ByteImage decode() {
    reader_.take(header_.id_size);
    read_map();
    const size_t pixel_count = size_t(header_.width) * header_.height;
    const size_t per_pixel = header_.pixel_bytes();
    const size_t most = header_.is_packed ? reader_.left() / (1 + per_pixel) * kMaxTgaRun
                                          : reader_.left() / per_pixel;
    if (pixel_count > most) throw Error("truncated: it is too short for its size in pixels");

    image_ = {header_.width, header_.height, std::vector<uint8_t>(pixel_count * 4)};
    for (size_t pixel = 0; pixel < pixel_count;) {
      const size_t left = pixel_count - pixel;
      const uint8_t packet = header_.is_packed ? reader_.read_8() : 0;
      constexpr uint8_t kIsRun = 128;
      const size_t count =
          std::min<size_t>(left, header_.is_packed ? packet % kIsRun + 1u : kMaxTgaRun);
      Rgba color{};
      for (size_t i = 0; i < count; ++i) {
        if (i == 0 || packet < kIsRun) color = read_pixel();
        put(pixel++, color);
      }
    }
    return std::move(image_);
  }

 private:
  void read_map() {
    if (!header_.has_map) return;
    const size_t size = header_.map_color_bytes();
    if (reader_.left() / size < header_.map_count) throw Error("truncated");
    for (uint32_t i = 0; i < header_.map_count; ++i)
      map_.push_back(tga_color(reader_.read(size), header_.map_bits));
  }

  Rgba read_pixel() {
    const uint32_t value = reader_.read(header_.pixel_bytes());
    if (header_.pixels == kTgaColors) return tga_color(value, header_.bits);
    if (header_.pixels == kTgaGreys) {
      const auto grey = uint8_t(value);
      return {grey, grey, grey, header_.bits == 16 ? uint8_t(value >> 8) : kTgaOpaque};
    }
    if (value < header_.map_first || value - header_.map_first >= map_.size())
      throw Error("corrupt: a pixel is not in its colour map");
    return map_[value - header_.map_first];
  }

  void put(size_t pixel, const Rgba& color) {
    size_t x = pixel % header_.width, y = pixel / header_.width;
    if (header_.is_right_first) x = header_.width - 1 - x;
    if (!header_.is_top_first) y = header_.height - 1 - y;
    std::copy(color.begin(), color.end(), &image_.values[(y * header_.width + x) * 4]);
  }

  const TgaHeader& header_;
  ByteReader reader_;
  std::vector<Rgba> map_;
  ByteImage image_;
};

/// Adds warnings of what the extension area of version 2 says about the colours.
void account_for_tga_extension(std::string_view file, ByteImage& image) {
  constexpr size_t kFooter = 26, kExtension = 495;  // bytes
  constexpr std::string_view kMark("TRUEVISION-XFILE.\0", 18);
  if (file.size() < kFooter || !file.ends_with(kMark)) return;
  const size_t at = ByteReader(file.substr(file.size() - kFooter)).read_32();
  if (at == 0 || at > file.size() || file.size() - at < kExtension) return;
  ByteReader reader(file.substr(at));
  constexpr size_t kGamma = 478, kAlphaType = 494;  // offsets
  reader.take(kGamma);
  const double numerator = reader.read_16(), denominator = reader.read_16();
  reader.take(kAlphaType - kGamma - 4);
  constexpr uint8_t kPremultiplied = 4;
  if (reader.read_8() == kPremultiplied)
    image.color_warnings.push_back("its colours are multiplied by alpha and are used as they are");
  const double gamma = denominator > 0.0 ? numerator / denominator : 0.0;
  const bool is_usual = gamma == 0.0 || std::abs(gamma - 1.0) < 0.05 || std::abs(gamma - 2.2) < 0.2;
  if (!is_usual)
    image.color_warnings.push_back(
        fmt::format("its gamma of {:.2f} is ignored: its values are taken as sRGB", gamma));
}

}  // namespace

bool is_tga(std::string_view file) {
  ByteReader reader(file);
  return read_tga_header(reader).has_value();
}

ByteImage decode_tga(std::string_view file) {
  ByteReader reader(file);
  const std::optional<TgaHeader> header = read_tga_header(reader);
  if (!header) throw Error("not a readable TGA file");
  check_image_size(header->width, header->height);
  ByteImage image = TgaDecoder(*header, reader).decode();
  account_for_tga_extension(file, image);
  return image;
}

}  // namespace winnow
