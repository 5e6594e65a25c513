// SPDX-License-Identifier: MIT
#include "load/gltf/meshopt.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/hex.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

constexpr size_t kStride = 16;

/// Vertices with two slow shorts, a float, a number with few bits and four bytes.
std::vector<uint8_t> many_kinds(uint32_t count) {
  std::vector<uint8_t> bytes;
  for (uint32_t i = 0; i < count; ++i) {
    const float fraction = 0.25f * float(i);
    uint32_t words[4] = {(i * i / 4) | 7 * i << 16, 0, (i % 4) << 20,
                         (i & 0xff) | (i / 16) << 8 | 200u << 16 | (37 * i & 0xff) << 24};
    std::memcpy(&words[1], &fraction, sizeof fraction);
    const auto* first = reinterpret_cast<const uint8_t*>(words);
    bytes.insert(bytes.end(), first, first + kStride);
  }
  return bytes;
}

/// 40 of these, encoded by meshoptimizer 1.0 at its highest level: the channels have shorts, words
/// rotated by 6, words rotated by 4, and bytes.
std::string encoded_kinds() {
  return from_hex(
      "a199686ae10e0022446688aaccee101012121414161618181a1a1c1c1e1eff0020202222242426262a0eeeee"
      "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee000000000102010f1f1a0ffff8f8f4c4f4c4a060103018f81cf262"
      "e262f262e2623c1edddd00007e0307032a013131313131313131313131313131313131313100000000152aaa"
      "aaaaaaaaaaaaaaaa000014010002010002004a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a4a"
      "4a4a4a4a4a4a4a4a4a4a4a4a4a000000000000000000000000000000000000c80001624200");
}

TEST(MeshoptVertices, DecodeFromEachModeOfChannels) {
  constexpr uint32_t kCount = 40;
  std::vector<uint8_t> decoded(kCount * kStride);
  ASSERT_TRUE(decode_meshopt_vertices(encoded_kinds(), kStride, decoded));
  EXPECT_EQ(decoded, many_kinds(kCount));
}

/// Encodes vertices of four bytes, of which only the first ones change, without compression.
std::string encode_counters(uint32_t count) {
  constexpr uint32_t kBlock = 256;
  constexpr char kFirstLiteral = char(0b10101011);  // the deltas of the other bytes are zeros
  std::string bytes = "\xa1";
  for (uint32_t i = 0; i < count; ++i) {
    if (i % kBlock == 0) bytes += kFirstLiteral;
    bytes += i == 0 ? '\0' : '\2';  // zigzag of +1
  }
  bytes += std::string(19, '\0');  // makes the tail 24 bytes long
  bytes += std::string("\x05\x06\x07\x08", 4);
  bytes += '\0';
  return bytes;
}

TEST(MeshoptVertices, ContinueInTheNextBlock) {
  constexpr uint32_t kCount = 300;
  std::vector<uint8_t> decoded(kCount * 4);
  ASSERT_TRUE(decode_meshopt_vertices(encode_counters(kCount), 4, decoded));
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(decoded[4 * i], (5 + i) % 256);
    EXPECT_EQ(decoded[4 * i + 3], 8);
  }
}

TEST(MeshoptVertices, AreRefusedIfBytesAreMissingOrLeft) {
  const std::string good = encode_counters(3);
  std::vector<uint8_t> decoded(12), more(16), fewer(8);
  EXPECT_TRUE(decode_meshopt_vertices(good, 4, decoded));
  EXPECT_FALSE(decode_meshopt_vertices(good, 4, more));
  EXPECT_FALSE(decode_meshopt_vertices(good, 4, fewer));
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(decode_meshopt_vertices(good.substr(0, length), 4, decoded)) << length;
  for (const char mode : {'\3', '\x10', '\x11', '\xf3'}) {
    std::string unknown = good;
    unknown.back() = mode;
    EXPECT_FALSE(decode_meshopt_vertices(unknown, 4, decoded)) << int(mode);
  }
}

TEST(MeshoptVertices, DoNotCrashIfBroken) {
  const std::string good = encoded_kinds();
  std::vector<uint8_t> decoded(40 * kStride);
  ByteNoise noise;
  for (size_t at = 0; at < good.size(); ++at)
    for (int i = 0; i < 8; ++i) {
      std::string broken = good;
      broken[at] = char(noise());
      decode_meshopt_vertices(broken, kStride, decoded);
    }
}

/// The colours (1, 0.5, 0.25, 1), (0, 0, 0, 0) and (0.2, 0.4, 0.6, 0.5), encoded by meshoptimizer.
TEST(MeshoptColors, DecodeFromLumaAndChroma) {
  const double expected[] = {1, 0.5, 0.25, 1, 0, 0, 0, 0, 0.2, 0.4, 0.6, 0.5};
  std::string encoded = from_hex("905ff1ff0000008066cd00c0");
  std::vector<uint8_t> bytes(encoded.begin(), encoded.end());
  decode_meshopt_colors(4, bytes);
  for (size_t i = 0; i < bytes.size(); ++i) EXPECT_NEAR(bytes[i] / 255.0, expected[i], 1.5 / 255.0);

  encoded = from_hex("0009ff0501ffff0f00000000000000086606cdfc0000000c");
  std::vector<uint8_t> pairs(encoded.begin(), encoded.end());
  decode_meshopt_colors(8, pairs);
  for (size_t i = 0; i < pairs.size() / 2; ++i)
    EXPECT_NEAR((pairs[2 * i] | pairs[2 * i + 1] << 8) / 65535.0, expected[i], 1.0 / 2047.0);
}

TEST(MeshoptColors, DoNotCrashIfBroken) {
  ByteNoise noise;
  for (const size_t stride : {4, 8}) {
    std::vector<uint8_t> bytes(1000 * stride);
    for (uint8_t& byte : bytes) byte = uint8_t(noise());
    for (size_t i = 0; i < 20; ++i) bytes[i] = 0;
    decode_meshopt_colors(stride, bytes);
  }
}

}  // namespace
}  // namespace winnow
