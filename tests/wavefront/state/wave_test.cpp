// SPDX-License-Identifier: MIT
#include "wavefront/state/wave.h"

#include <gtest/gtest.h>

#include <vector>

namespace winnow {
namespace {

TEST(Wave, TileOrderVisitsEveryPixelOnce) {
  for (uint32_t width : {1u, 3u, 7u, 8u, 9u, 16u, 33u})
    for (uint32_t height : {1u, 2u, 3u, 4u, 5u, 8u, 11u}) {
      Wave wave{width, height, 0, width * height, 0, 1};
      std::vector<int> visits(width * height);
      for (uint32_t i = 0; i < width * height; ++i) ++visits.at(wave.pixel_at(i));
      EXPECT_EQ(visits, std::vector<int>(width * height, 1)) << width << " x " << height;
    }
}

TEST(Wave, ThirtyTwoNeighboursAreOneTile) {
  Wave wave{64, 64, 0, 64 * 64, 0, 1};
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t pixel = wave.pixel_at(32 * 9 + i);  // the second tile of the second band
    EXPECT_EQ(pixel % 64 / 8, 1u);
    EXPECT_EQ(pixel / 64 / 4, 1u);
  }
}

TEST(Wave, PathsAreSampleBySamplePixelByPixel) {
  Wave wave{.width = 8,
            .height = 8,
            .first_pixel = 4,
            .pixel_count = 3,
            .first_sample = 10,
            .sample_count = 2};
  EXPECT_EQ(wave.path_count(), 6u);
  for (uint32_t path = 0; path < 6; ++path) {
    EXPECT_EQ(wave.pixel_of(path), wave.pixel_at(4 + path % 3));
    EXPECT_EQ(wave.sample_of(path), 10 + path / 3);
  }
}

}  // namespace
}  // namespace winnow
