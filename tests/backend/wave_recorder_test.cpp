// SPDX-License-Identifier: MIT
#include "backend/cpu/wave_recorder.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "backend/renderer.h"
#include "image/compare.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

/// A way to cull that records, whose name gtest prints.
struct RecordedWay {
  Cull cull;
  Group group = Group::kNone;
};
void PrintTo(const RecordedWay& way, std::ostream* out) {
  *out << enum_name(way.cull) << (way.group == Group::kMaterial ? ", grouped" : "");
}

constexpr RecordedWay kRecordedWays[] = {{Cull::kNone},
                                         {Cull::kAppend},
                                         {Cull::kScan},
                                         {Cull::kBallot},
                                         {Cull::kLookBack},
                                         {Cull::kLookAhead},
                                         {Cull::kMove},
                                         {Cull::kAuto},
                                         {Cull::kNone, Group::kMaterial},
                                         {Cull::kAppend, Group::kMaterial}};

/// One sample of each pixel of a small image, as one wave.
RenderSettings one_wave(const RecordedWay& way) {
  RenderSettings settings = kSmall;
  settings.wave_size = settings.width * settings.height;
  settings.record_masks = true;  // all pixels in one wave
  settings.cull = way.cull;
  settings.group = way.group;
  return settings;
}

class WaveRecorderTest : public testing::TestWithParam<RecordedWay> {
 protected:
  void SetUp() override { record(GetParam()); }

  void record(const RecordedWay& way) {
    renderer_ = make_cpu_renderer(scene_, one_wave(way), &recorder_);
    recorder_.is_on = true;
    RenderControl control;
    renderer_->render_samples(0, 1, control);
    recorder_.is_on = false;
  }
  const WaveRecord& wave() const { return recorder_.wave(); }

  const HostScene scene_ = mixed_scene();
  WaveRecorder recorder_;
  std::unique_ptr<Renderer> renderer_;
};

TEST_P(WaveRecorderTest, CountsWhatTheStatisticsCount) {
  const std::vector<BounceStats> bounces = renderer_->stats().bounces;
  ASSERT_GT(wave().iterations.size(), 4u);
  for (size_t b = 0; b < wave().iterations.size(); ++b) {
    const IterationRecord& iteration = wave().iterations[b];
    const auto count_set = [](const std::vector<uint8_t>& flags) {
      return std::accumulate(flags.begin(), flags.end(), uint64_t(0));
    };
    EXPECT_EQ(count_set(iteration.was_active), bounces[b].alive) << b;
    EXPECT_EQ(iteration.shaded.size(), bounces[b].queued) << b;  // grouping may shorten the queue
    EXPECT_EQ(iteration.busy_warps, bounces[b].busy_warps) << b;
    EXPECT_EQ(iteration.survivors, count_set(iteration.survived)) << b;
    const bool is_last = b + 1 == bounces.size();
    EXPECT_EQ(iteration.survivors, is_last ? 0 : bounces[b + 1].alive) << b;
  }
}

TEST_P(WaveRecorderTest, SurvivorsAreThoseOfTheAliveMasks) {
  const std::vector<AliveMask> masks = renderer_->alive_masks();
  ASSERT_EQ(masks.size(), wave().iterations.size());
  for (size_t b = 0; b < masks.size(); ++b) {
    const std::vector<uint8_t>& survived = wave().iterations[b].survived;
    ASSERT_EQ(survived.size(), masks[b].entries);
    for (uint32_t entry = 0; entry < survived.size(); ++entry)
      ASSERT_EQ(survived[entry], masks[b].words[entry / 32] >> entry % 32 & 1) << b << " " << entry;
  }
}

TEST_P(WaveRecorderTest, EachQueueHoldsTheSurvivorsOfTheOneBefore) {
  for (size_t b = 0; b + 1 < wave().iterations.size(); ++b) {
    const IterationRecord &before = wave().iterations[b], &after = wave().iterations[b + 1];
    std::set<PathId> survivors, active;
    for (size_t entry = 0; entry < before.shaded.size(); ++entry)
      if (before.survived[entry]) survivors.insert(before.shaded[entry]);
    for (size_t entry = 0; entry < after.traced.size(); ++entry)
      if (after.was_active[entry]) active.insert(after.traced[entry]);
    EXPECT_EQ(active, survivors) << b;
    const bool culls = GetParam().cull != Cull::kNone;
    EXPECT_EQ(after.traced.size(), culls ? survivors.size() : before.shaded.size()) << b;
  }
}

TEST_P(WaveRecorderTest, CausesOfTerminationSumToThePaths) {
  std::array<uint64_t, kTerminationCount> recorded{}, counted{};
  for (const PathRecord& path : wave().paths) ++recorded[uint32_t(path.termination.cause())];
  for (const BounceStats& bounce : renderer_->stats().bounces)
    for (uint32_t cause = 0; cause < kTerminationCount; ++cause)
      counted[cause] += bounce.terminations[cause];
  EXPECT_EQ(recorded, counted);
  EXPECT_EQ(recorded[uint32_t(Termination::kAlive)], 0u);
  EXPECT_EQ(wave().paths.size(), kSmall.width * kSmall.height);
}

TEST_P(WaveRecorderTest, PathsAreTheSameInEveryMode) {
  const WaveRecord here = wave();
  record({Cull::kScan});
  ASSERT_EQ(here.paths.size(), wave().paths.size());
  for (size_t i = 0; i < here.paths.size(); ++i) {
    const PathRecord &a = here.paths[i], &b = wave().paths[i];
    EXPECT_EQ(a.pixel, b.pixel);
    EXPECT_EQ(a.termination.bits, b.termination.bits);
    EXPECT_EQ(a.radiance, b.radiance);
    ASSERT_EQ(a.vertices.size(), b.vertices.size());
    for (size_t v = 0; v < a.vertices.size(); ++v) {
      EXPECT_EQ(a.vertices[v].position, b.vertices[v].position);
      EXPECT_EQ(a.vertices[v].material, b.vertices[v].material);
    }
  }
}

TEST_P(WaveRecorderTest, HasAVertexForEachBounceAndEscapesAtTheEndOnly) {
  for (const PathRecord& path : wave().paths) {
    ASSERT_EQ(path.vertices.size(), path.termination.bounce() + 1);
    for (size_t v = 0; v + 1 < path.vertices.size(); ++v) {
      EXPECT_FALSE(path.vertices[v].escaped);
      EXPECT_LT(path.vertices[v].material, scene_.materials.size());
    }
    EXPECT_EQ(path.vertices.back().escaped, path.termination.cause() == Termination::kEscaped);
  }
}

TEST_P(WaveRecorderTest, LeavesTheFilmAsItIs) {
  const std::unique_ptr<Renderer> plain = make_cpu_renderer(scene_, one_wave(GetParam()));
  RenderControl control;
  plain->render_samples(0, 1, control);
  EXPECT_EQ(image_hash(renderer_->film()), image_hash(plain->film()));
}

INSTANTIATE_TEST_SUITE_P(Ways, WaveRecorderTest, testing::ValuesIn(kRecordedWays),
                         [](const auto& info) {
                           std::string name = testing::PrintToString(info.param);
                           std::erase_if(name, [](char c) { return c == ',' || c == ' '; });
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(WaveRecorder, RecordsNothingWhileItIsOff) {
  const HostScene scene = mixed_scene();
  WaveRecorder recorder;
  const std::unique_ptr<Renderer> renderer =
      make_cpu_renderer(scene, one_wave({Cull::kAppend}), &recorder);
  RenderControl control;
  renderer->render_samples(0, 1, control);
  EXPECT_TRUE(recorder.wave().paths.empty());
  EXPECT_TRUE(recorder.wave().iterations.empty());
}

TEST(WaveRecorder, SeesScatteringInMedia) {
  HostScene scene = furnace_scene(0.5f, 0.25f);
  scene.media.push_back({.scattering = glm::vec3(5.0f)});
  scene.camera_medium = 0;
  WaveRecorder recorder;
  const std::unique_ptr<Renderer> renderer =
      make_cpu_renderer(scene, one_wave({Cull::kAppend}), &recorder);
  recorder.is_on = true;
  RenderControl control;
  renderer->render_samples(0, 1, control);
  const auto scattered = [](const PathVertex& v) {
    return v.material == kNoMaterial && !v.escaped;
  };
  const auto& paths = recorder.wave().paths;
  EXPECT_TRUE(std::any_of(paths.begin(), paths.end(), [&](const PathRecord& path) {
    return std::any_of(path.vertices.begin(), path.vertices.end(), scattered);
  }));
}

}  // namespace
}  // namespace winnow
