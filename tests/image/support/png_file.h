// SPDX-License-Identifier: MIT
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>

namespace winnow {

// PNG files, byte by byte.

inline std::string big_endian(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

/// Returns a chunk with its checksum.
inline std::string png_chunk(const std::string& type, const std::string& data) {
  const std::string checked = type + data;
  const uint32_t sum =
      uint32_t(crc32(0, reinterpret_cast<const Bytef*>(checked.data()), uInt(checked.size())));
  return big_endian(uint32_t(data.size())) + checked + big_endian(sum);
}

/// Returns a zlib stream of one stored block.
inline std::string stored_zlib(const std::string& data) {
  const auto sum =
      uint32_t(adler32(1, reinterpret_cast<const Bytef*>(data.data()), uInt(data.size())));
  const auto size = uint32_t(data.size());
  return std::string("\x78\x01\x01", 3) + char(size) + char(size >> 8) + char(~size) +
         char(~size >> 8) + data + big_endian(sum);
}

/// Returns a PNG file.
///
/// @param type    colour type: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA
/// @param pixels  zlib stream of the rows with the filter of each
/// @param chunks  further chunks in front of the pixels
inline std::string png_of_stream(uint32_t width, uint32_t height, char bits, char type,
                                 const std::string& pixels, const std::string& chunks = "") {
  const std::string header =
      big_endian(width) + big_endian(height) + bits + type + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + chunks + png_chunk("IDAT", pixels) +
         png_chunk("IEND", "");
}

/// Returns a PNG file of rows, each after its filter.
inline std::string png_file(uint32_t width, uint32_t height, char bits, char type,
                            const std::string& rows, const std::string& chunks = "") {
  return png_of_stream(width, height, bits, type, stored_zlib(rows), chunks);
}

}  // namespace winnow
