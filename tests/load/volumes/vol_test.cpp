// SPDX-License-Identifier: MIT
#include "load/volumes/vol.h"

#include <gmock/gmock.h>

#include <cmath>

#include "base/limits.h"
#include "tests/load/volumes/support/vol_file.h"
#include "tests/scene/volumes/support/grids.h"
#include "tests/support/expect_near.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

TEST(Vol, HasFloatsOrBytesOfOneOrThreeChannels) {
  const GridVolume floats = parse_vol(vol_file(1, 1, vol_floats({1, 5})), "a.vol");
  EXPECT_EQ(floats.size, glm::uvec3(2, 1, 1));
  EXPECT_EQ(floats.values, (std::vector<float>{1, 5}));
  expect_near(mean_of(floats), glm::vec3(3.0f));
  const GridVolume bytes = parse_vol(vol_file(3, 3, "\xff\x01\x02\x01\xff\x02"), "a.vol");
  EXPECT_EQ(bytes.channels, 3u);
  expect_near(mean_of(bytes), glm::vec3(128.0f, 128.0f, 2.0f) / 255.0f);
}

TEST(Vol, HasTheBoxOfItsHeader) {
  const GridVolume volume = parse_vol(
      vol_file(1, 1, vol_floats({1, 5}), {2, 1, 1}, vol_floats({-1, -2, -3, 4, 5, 6})), "a.vol");
  EXPECT_EQ(volume.box, (Bounds{{-1, -2, -3}, {4, 5, 6}}));
}

TEST(Vol, IsRefusedByItsReason) {
  const std::pair<std::string, const char*> kFiles[] = {
      {"", "truncated"},
      {"VOL", "truncated"},
      {"nothing of the kind", "expected a volume"},
      {vol_file(2, 1, ""), "the encoding 2"},
      {vol_file(1, 1, "", {uint32_t(kMaxVolumeSide) + 1, 1, 1}), "cells along an axis"},
      {vol_file(1, 1, "", {1, 0, 1}), "cells along an axis"},
      {vol_file(1, 1, "", {10'000, 10'000, 10'000}), "truncated"},
      {vol_file(1, 2, ""), "2"},
      {vol_file(1, 1, vol_floats({1.0f})), "truncated"}};
  for (const auto& [bytes, reason] : kFiles)
    EXPECT_THAT(message_of([&] { parse_vol(bytes, "b.vol"); }),
                testing::AllOf(testing::HasSubstr("b.vol"), testing::HasSubstr(reason)));
  const float bad[] = {-NAN, -3.0f, INFINITY};
  for (const float value : bad) {
    const GridVolume volume = parse_vol(vol_file(1, 1, vol_floats({1.0f, value})), "b.vol");
    EXPECT_THAT(message_of([&] { mean_of(volume); }), testing::HasSubstr("negative or not"));
    HostScene scene;
    EXPECT_THAT(message_of([&] { add_grid(scene, volume, GridBorder::kFade); }),
                testing::HasSubstr("at (1, 0, 0)"));
    EXPECT_TRUE(scene.grids.empty());
  }
}

using VolFile = FolderTest;

TEST_F(VolFile, ReadsWhatItWrote) {
  for (const GridBorder border : {GridBorder::kFade, GridBorder::kClamp}) {
    const DensityGrid grid = random_grid({5, 19, 8}, border, 3);
    write_vol(folder_ / "a.vol", grid);
    HostScene scene;
    EXPECT_EQ(add_grid(scene, read_vol(folder_ / "a.vol"), border), 0u);
    EXPECT_EQ(scene.grids.at(0), grid);
  }
}

}  // namespace
}  // namespace winnow
