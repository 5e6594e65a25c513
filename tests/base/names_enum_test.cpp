// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "app/render/aov.h"
#include "base/names.h"
#include "image/tone_mapping.h"
#include "scene/pixel_filter.h"
#include "scene/spot_falloff.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {
namespace {

/// Expects these names for the values up to `last`.
template <class Enum>
void expect_names(Enum last, const std::vector<std::string>& names) {
  SCOPED_TRACE(names.front());
  EXPECT_EQ(enum_names<Enum>(), names);
  EXPECT_EQ(names.size(), size_t(last) + 1);
  EXPECT_EQ(enum_name(last), names.back());
}

TEST(EnumNames, AreThoseOfTheCommandLineAndOfStatistics) {
  expect_names(Loop::kPath, {"wave", "path"});
  expect_names(Cull::kAuto, {"none", "append", "scan", "ballot", "look-back", "look-ahead", "move",
                             "thrust", "cub", "auto"});
  expect_names(Group::kAuto, {"none", "material", "auto"});
  expect_names(Driver::kHost, {"graph", "host"});
  expect_names(SamplerType::kSobol, {"hash", "sobol"});
  expect_names(BvhBuild::kQuality, {"auto", "fast", "quality"});
  expect_names(LightChoice::kBvh, {"uniform", "power", "bvh"});
  expect_names(FilterType::kBlackmanHarris, {"box", "tent", "gaussian", "blackman-harris"});
  expect_names(SpotFalloff::kFourth, {"linear", "squared", "smooth", "fourth"});
  expect_names(ToneCurve::kAgx, {"srgb", "aces", "agx"});
  expect_names(Aov::kCost, {"albedo", "normal", "depth", "position", "ids", "variance", "samples",
                            "bounces", "deaths", "cost"});
  expect_names(Termination::kNotFinite, {"alive", "escaped", "hit_light", "roulette",
                                         "zero_throughput", "max_depth", "not_finite"});
  expect_names(Stage::kFirstHits,
               {"generate", "intersect", "shade", "shadow", "cull", "film", "path", "first_hits"});
}

}  // namespace
}  // namespace winnow
