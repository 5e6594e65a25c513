// SPDX-License-Identifier: MIT
#include "backend/scene_trees.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/error.h"
#include "tests/bvh/support/nasty_scenes.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

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

class SceneTreesTest : public FolderTest {
 protected:
  /// Trees of one node with nothing in it, and how often they were built.
  SceneTrees trees(BvhBuild build, const fs::path& folder) {
    RenderSettings settings{.bvh = build, .bvh_cache = folder.string(), .expected_spp = 1};
    return SceneTrees(settings, {.primitives = 1000, .threads = 1, .multiprocessors = 100},
                      [this](const HostScene&) {
                        ++fast_builds_;
                        return fast_;
                      });
  }
  size_t files() const {
    return size_t(std::distance(fs::directory_iterator(cache_), fs::directory_iterator()));
  }

  const HostScene scene_ = flat_grid(4);
  const fs::path cache_ = folder_ / "trees";
  std::optional<WideBvhArrays> fast_ = WideBvhArrays{{WideBvhNode{}}, {}};
  int fast_builds_ = 0;
};

TEST_F(SceneTreesTest, BuildsFastWhereThatIsAskedForOrPays) {
  for (BvhBuild build : {BvhBuild::kFast, BvhBuild::kAuto}) {
    SceneTrees trees = this->trees(build, {});
    EXPECT_TRUE(trees.build(scene_).primitives.empty());
    EXPECT_EQ(trees.report().build, BvhBuild::kFast);
    EXPECT_FALSE(trees.report().cached);
  }
  EXPECT_EQ(fast_builds_, 2);
}

TEST_F(SceneTreesTest, BuildsWellWhereAFastTreeIsTooDeep) {
  fast_.reset();
  SceneTrees trees = this->trees(BvhBuild::kFast, cache_);
  EXPECT_EQ(trees.build(scene_).primitives.size(), scene_.triangles.size());
  EXPECT_EQ(trees.report().build, BvhBuild::kQuality);
  EXPECT_EQ(files(), 1u);
}

TEST_F(SceneTreesTest, ReadsATreeThatItBuiltBefore) {
  SceneTrees first = trees(BvhBuild::kQuality, cache_);
  const WideBvhArrays built = first.build(scene_);
  EXPECT_FALSE(first.report().cached);
  EXPECT_GT(first.report().seconds, 0.0);
  EXPECT_EQ(files(), 1u);
  for (BvhBuild build : {BvhBuild::kQuality, BvhBuild::kAuto}) {
    SceneTrees second = trees(build, cache_);
    EXPECT_EQ(second.build(scene_).nodes.size(), built.nodes.size());
    EXPECT_EQ(second.report().build, BvhBuild::kQuality);
    EXPECT_TRUE(second.report().cached);
  }
  SceneTrees fast = trees(BvhBuild::kFast, cache_);
  EXPECT_EQ(fast.build(scene_).nodes.size(), 1u);
  EXPECT_FALSE(fast.report().cached);
  EXPECT_EQ(fast_builds_, 1);
}

TEST_F(SceneTreesTest, IsCachedIfAllTreesAre) {
  trees(BvhBuild::kQuality, cache_).build(scene_);
  SceneTrees both = trees(BvhBuild::kQuality, cache_);
  both.build(scene_);
  EXPECT_TRUE(both.report().cached);
  both.build(flat_grid(5));
  EXPECT_FALSE(both.report().cached);
  both.build(scene_);
  EXPECT_FALSE(both.report().cached);
  EXPECT_EQ(files(), 2u);
}

TEST_F(SceneTreesTest, BuildsAgainWhereTheFileIsDamaged) {
  trees(BvhBuild::kQuality, cache_).build(scene_);
  const fs::path file = *fs::directory_iterator(cache_);
  std::ofstream(file, std::ios::binary) << "damaged";
  SceneTrees again = trees(BvhBuild::kQuality, cache_);
  EXPECT_EQ(again.build(scene_).primitives.size(), scene_.triangles.size());
  EXPECT_FALSE(again.report().cached);
  EXPECT_EQ(again.report().warning, "");
  SceneTrees third = trees(BvhBuild::kQuality, cache_);
  third.build(scene_);
  EXPECT_TRUE(third.report().cached);
}

TEST_F(SceneTreesTest, GoesOnWithAWarningWhereAFileCannotBeWritten) {
  SceneTrees trees = this->trees(BvhBuild::kQuality, cache_);
  fs::remove(cache_);
  EXPECT_EQ(trees.build(scene_).primitives.size(), scene_.triangles.size());
  EXPECT_THAT(trees.report().warning, testing::HasSubstr("cannot be written"));
  EXPECT_EQ(trees.report().warning.find('\n'), std::string::npos);
}

TEST_F(SceneTreesTest, RefusesAFolderThatIsAFile) {
  std::ofstream(folder_ / "file") << "x";
  EXPECT_THROW(trees(BvhBuild::kQuality, folder_ / "file"), Error);
}

}  // namespace
}  // namespace winnow
