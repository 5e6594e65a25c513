// SPDX-License-Identifier: MIT
#include "wavefront/wave_arrays.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

constexpr size_t kWaveSlots = 64;
constexpr size_t kColumns = 3 * sizeof(Packed), kShadowRay = 3 * sizeof(Packed);

/// Bytes of a wave of 64 slots and as many paths.
size_t bytes_of(const RenderSettings& settings, Features features = kBasic) {
  return wave_bytes(settings, features, {kWaveSlots, kWaveSlots});
}

TEST(WaveArrays, HoldTheStateThatTheCullingModeNeeds) {
  const size_t common = kWaveSlots * (sizeof(PathResult) + kColumns + sizeof(Hit) + kShadowRay) + 8;
  EXPECT_EQ(bytes_of({.cull = Cull::kNone}), common);
  for (Cull cull : {Cull::kScan, Cull::kBallot, Cull::kLookBack, Cull::kLookAhead, Cull::kCub})
    EXPECT_EQ(bytes_of({.cull = cull}), common + kWaveSlots * 2 * sizeof(uint32_t));
  for (Cull cull : {Cull::kAppend, Cull::kMove})
    EXPECT_EQ(bytes_of({.cull = cull}), common + kWaveSlots * kColumns);
  EXPECT_EQ(bytes_of({.cull = Cull::kAuto, .group = Group::kNone}),
            bytes_of({.cull = Cull::kAppend}));
  // Auto groups in one wave and not in the next.
  for (const Features features : {kBasic, kExtended})
    EXPECT_EQ(bytes_of({.cull = Cull::kAuto}, features),
              bytes_of({.cull = Cull::kAppend, .group = Group::kMaterial}, features));
}

TEST(WaveArrays, HoldWhatTheOtherSettingsNeed) {
  const RenderSettings plain{.max_bounces = 4, .cull = Cull::kMove};
  RenderSettings settings = plain;
  settings.regenerate = true;
  EXPECT_EQ(bytes_of(settings), bytes_of(plain) + kWaveSlots * 2 * sizeof(uint32_t));
  settings = plain;
  settings.clamp_indirect = 1.0f;
  EXPECT_EQ(bytes_of(settings), bytes_of(plain) + kWaveSlots * sizeof(glm::vec3));
  settings = plain;
  settings.record_masks = true;
  EXPECT_EQ(bytes_of(settings), bytes_of(plain) + 5 * (2 + 1) * sizeof(uint32_t));
  settings = plain;
  settings.loop = Loop::kPath;
  EXPECT_EQ(bytes_of(settings), kWaveSlots * sizeof(PathResult));
}

TEST(WaveArrays, HoldListsAndClassesWherePathsAreGrouped) {
  const RenderSettings plain{.cull = Cull::kAppend};
  const RenderSettings grouped{.cull = Cull::kAppend, .group = Group::kMaterial};
  EXPECT_EQ(bytes_of(grouped), bytes_of(plain) + kWaveSlots * (2 * sizeof(uint32_t) + 1) +
                                   (kHitClassCount + 1) * sizeof(uint32_t) +
                                   group_workspace_bytes(kWaveSlots));
}

TEST(WaveArrays, HoldTheMediaOfPathsAndShadowRaysOnlyWhereThereAreMedia) {
  const RenderSettings lists{.cull = Cull::kScan}, moves{.cull = Cull::kMove};
  EXPECT_EQ(bytes_of(lists, kInstanced), bytes_of(lists));
  EXPECT_EQ(bytes_of(lists, kMedia), bytes_of(lists) + kWaveSlots * 2 * sizeof(uint32_t));
  EXPECT_EQ(bytes_of(moves, kMedia), bytes_of(moves) + kWaveSlots * 3 * sizeof(uint32_t));
}

}  // namespace
}  // namespace winnow
