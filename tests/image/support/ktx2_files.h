// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/hex.h"

namespace winnow {

inline std::string little_endian(uint64_t number, size_t size) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes += char(number >> (8 * i) & 0xff);
  return bytes;
}

/// A KTX file of version 2 with one level.
struct Ktx2File {
  static constexpr uint8_t kEtc1s = 163, kUastc = 166;           // colour models
  static constexpr uint8_t kRgb = 0, kUastcRgba = 3, kAaa = 15;  // channels of samples

  uint32_t format = 0, width = 12, height = 8, depth = 0, layers = 0, faces = 1, levels = 1;
  uint32_t supercompression = 0;
  uint8_t model = kUastc, flags = 0;
  std::vector<uint8_t> samples = {kUastcRgba};
  std::string pairs = {}, global = {}, level = {};

  /// A picture of 3x2 blocks: three colours, of which one has half alpha; below, a transparent one,
  /// a ramp of grey and alpha, and a blue one. Encoded as UASTC and Zstandard by Basis Universal.
  static Ktx2File uastc() {
    Ktx2File file{.supercompression = 2};
    file.level = from_hex(
        "28b52ffd20601d0200640317d943eb3fbe43010097821605301ab60017d9430b2005b5dbb6407fbf004286ca0e"
        "5397db1f578142ff7f12e30300000000000000000400330d1d0a054078068e");
    return file;
  }

  /// Returns a file with the same picture in ETC1S, encoded by Basis Universal.
  static Ktx2File etc1s() {
    Ktx2File file{.supercompression = 1, .model = kEtc1s, .samples = {kRgb, kAaa}};
    file.global = from_hex(
        "0700040039000000110000003000000000000000000000000000000004000000040000000400000020c0130001"
        "00002045ae65120b600a80000000200c6bcf03510398120000000008c30880983d0210050000000010920cb66e"
        "2e7307e05b0700fc57ad02a8aaaaaa02a852fd575555550500c144000000000000f25f29c50130012000000010"
        "86597413e06dc30000009038a5d208040013000000000000082000");
    file.level = from_hex("28b4e20e2f538f1c");
    return file;
  }

  /// A key and its value, for `pairs`.
  static std::string pair(std::string_view key, std::string_view value) {
    std::string bytes(key);
    bytes += '\0';
    bytes += value;
    bytes += '\0';
    bytes = little_endian(bytes.size(), 4) + bytes;
    while (bytes.size() % 4) bytes += '\0';
    return bytes;
  }

  std::string bytes() const {
    constexpr size_t kHeader = 104;
    std::string descriptor(4, '\0');
    const size_t block = 24 + 16 * samples.size();
    descriptor += little_endian(0, 4) + little_endian(2, 2) + little_endian(block, 2);
    descriptor += {char(model), 1, 2, char(flags), 3, 3, 0, 0};
    descriptor += std::string(8, '\0');  // bytes of planes
    for (const uint8_t sample : samples)
      descriptor += std::string{0, 0, 127, char(sample)} + std::string(12, '\0');
    descriptor.replace(0, 4, little_endian(descriptor.size(), 4));

    const size_t pairs_at = kHeader + descriptor.size(), global_at = pairs_at + pairs.size();
    std::string file = "\xabKTX 20\xbb\r\n\x1a\n";
    for (const uint32_t field :
         {format, 1u, width, height, depth, layers, faces, levels, supercompression})
      file += little_endian(field, 4);
    file += little_endian(kHeader, 4) + little_endian(descriptor.size(), 4);
    file += little_endian(pairs_at, 4) + little_endian(pairs.size(), 4);
    file += little_endian(global_at, 8) + little_endian(global.size(), 8);
    file += little_endian(global_at + global.size(), 8) + little_endian(level.size(), 8);
    file += little_endian(level.size(), 8);
    return file + descriptor + pairs + global + level;
  }
};

}  // namespace winnow
