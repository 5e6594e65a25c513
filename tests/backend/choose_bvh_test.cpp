// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "backend/scene_trees.h"

namespace winnow {
namespace {

constexpr BvhChoice kSponzaOnH200{.primitives = 263'167, .threads = 16, .multiprocessors = 132};

RenderSettings full_hd(uint32_t spp) {
  return {.width = 1920, .height = 1080, .max_bounces = 8, .expected_spp = spp};
}

TEST(ChooseBvh, BuildsAsItIsTold) {
  for (uint32_t spp : {0u, 1u, 1'000'000u})
    for (BvhBuild build : {BvhBuild::kFast, BvhBuild::kQuality}) {
      RenderSettings settings = full_hd(spp);
      settings.bvh = build;
      EXPECT_EQ(choose_bvh(settings, kSponzaOnH200), build);
    }
}

TEST(ChooseBvh, BuildsFastForFewSamplesAndWellForManyOrNobodyKnowsHowMany) {
  EXPECT_EQ(choose_bvh(full_hd(1), kSponzaOnH200), BvhBuild::kFast);
  EXPECT_EQ(choose_bvh(full_hd(64), kSponzaOnH200), BvhBuild::kFast);
  EXPECT_EQ(choose_bvh(full_hd(10'000), kSponzaOnH200), BvhBuild::kQuality);
  EXPECT_EQ(choose_bvh(full_hd(0), kSponzaOnH200), BvhBuild::kQuality);
}

TEST(ChooseBvh, WeighsPixelsBouncesPrimitivesAndMachine) {
  // The fewest samples for which the quality build pays.
  auto turning_point = [](RenderSettings settings, const BvhChoice& choice) {
    for (settings.expected_spp = 1; settings.expected_spp < 1u << 20; ++settings.expected_spp)
      if (choose_bvh(settings, choice) == BvhBuild::kQuality) break;
    return settings.expected_spp;
  };
  const uint32_t usual = turning_point(full_hd(0), kSponzaOnH200);
  RenderSettings small = full_hd(0), direct = full_hd(0);
  small.height /= 2;
  direct.max_bounces = 0;
  EXPECT_NEAR(turning_point(small, kSponzaOnH200), 2.0 * usual, 2.0);
  EXPECT_GT(turning_point(direct, kSponzaOnH200), 2 * usual);
  BvhChoice large = kSponzaOnH200, slow_gpu = kSponzaOnH200, slow_cpu = kSponzaOnH200;
  large.primitives *= 3;
  slow_gpu.multiprocessors /= 4;
  slow_cpu.threads = 2;
  EXPECT_NEAR(turning_point(full_hd(0), large), 3.0 * usual, 3.0);
  EXPECT_NEAR(turning_point(full_hd(0), slow_gpu), usual / 4.0, 1.0);
  EXPECT_GT(turning_point(full_hd(0), slow_cpu), 2 * usual);
}

TEST(ChooseBvh, BuildsFastOnlyWhereThereIsMemoryForThat) {
  BvhChoice choice = kSponzaOnH200;
  choice.free_memory = uint64_t(1) << 30;
  EXPECT_EQ(choose_bvh(full_hd(1), choice), BvhBuild::kFast);
  choice.free_memory = uint64_t(1) << 26;
  EXPECT_EQ(choose_bvh(full_hd(1), choice), BvhBuild::kQuality);
  RenderSettings asked = full_hd(1);
  asked.bvh = BvhBuild::kFast;
  EXPECT_EQ(choose_bvh(asked, choice), BvhBuild::kFast);
}

TEST(ChooseBvh, DoesNotMindAMachineThatIsNotKnown) {
  EXPECT_EQ(choose_bvh(full_hd(1), {.primitives = 0, .threads = 0, .multiprocessors = 0}),
            BvhBuild::kQuality);
  EXPECT_EQ(choose_bvh(full_hd(1), {.primitives = 1u << 30, .threads = 0, .multiprocessors = 132}),
            BvhBuild::kFast);
}

}  // namespace
}  // namespace winnow
