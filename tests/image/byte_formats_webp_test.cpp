// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <webp/encode.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "image/image_formats.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

const std::vector<uint8_t> kTexels = {255, 0, 0, 255, 0, 0, 200, 100};  // 2 x 1

std::string lossless_webp() {
  uint8_t* bytes = nullptr;
  const size_t size = WebPEncodeLosslessRGBA(kTexels.data(), 2, 1, 8, &bytes);
  std::string file(reinterpret_cast<const char*>(bytes), size);
  WebPFree(bytes);
  return file;
}

ByteImage read_bytes_of(const std::string& bytes, int channels) {
  std::istringstream stream(bytes);
  return read_bytes(stream, channels);
}

TEST(WebP, IsReadLikePng) {
  const ByteImage image = read_bytes_of(lossless_webp(), 4);
  EXPECT_EQ(image.width, 2u);
  EXPECT_EQ(image.height, 1u);
  EXPECT_EQ(image.values, kTexels);
  const ByteImage opaque = read_bytes_of(lossless_webp(), 3);
  EXPECT_EQ(opaque.values, (std::vector<uint8_t>{255, 0, 0, 0, 0, 200}));
}

TEST(WebP, ThatIsBrokenIsRefused) {
  const std::string good = lossless_webp();
  constexpr size_t kHeader = 12;  // bytes
  for (size_t size = kHeader; size < good.size(); ++size)
    EXPECT_THROW(read_bytes_of(good.substr(0, size), 4), Error) << size;
  ByteNoise noise;
  for (size_t at = kHeader; at < good.size(); ++at) {
    std::string broken = good;
    broken[at] = char(noise());
    try {
      read_bytes_of(broken, 4);
    } catch (const Error&) {
      continue;  // one changed byte may be another colour
    }
  }
}

TEST(WebP, ThatMovesIsRefusedByName) {
  // The chunk VP8X with the flag of animations and a canvas of 1 x 1, and an empty ANIM.
  std::string file("RIFF\x24\0\0\0WEBPVP8X\x0a\0\0\0\2\0\0\0\0\0\0\0\0\0ANIM\6\0\0\0\0\0\0\0\0\0",
                   44);
  EXPECT_EQ(message_of([&] { read_bytes_of(file, 4); }),
            "this WebP file is animated; expected a single image");
}

}  // namespace
}  // namespace winnow
