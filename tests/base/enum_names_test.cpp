// SPDX-License-Identifier: MIT
#include "base/enum_names.h"

#include <gtest/gtest.h>

#include <set>

#include "app/render/aov.h"
#include "image/tone_mapping.h"
#include "scene/pixel_filter.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"

namespace winnow {
namespace {

/// Expects a name of its own for each value up to `last`.
template <class Enum>
void expect_names_up_to(Enum last) {
  const std::vector<std::string>& names = enum_names<Enum>();
  SCOPED_TRACE(names.front());
  EXPECT_EQ(names.size(), size_t(last) + 1);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(enum_name(last), names.back());
}

TEST(EnumNames, ExistForEveryValue) {
  expect_names_up_to(Loop::kPath);
  expect_names_up_to(Cull::kAuto);
  expect_names_up_to(Driver::kHost);
  expect_names_up_to(SamplerType::kSobol);
  expect_names_up_to(BvhBuild::kQuality);
  expect_names_up_to(LightChoice::kBvh);
  expect_names_up_to(FilterType::kBlackmanHarris);
  expect_names_up_to(ToneCurve::kAgx);
  expect_names_up_to(Aov::kDeaths);
  expect_names_up_to(Death::kNotFinite);
  expect_names_up_to(Stage::kFirstHits);
}

TEST(EnumNames, AreThoseOfTheCommandLine) {
  EXPECT_EQ(enum_name(Loop::kWave), "wave");
  EXPECT_EQ(enum_name(Cull::kNone), "none");
  EXPECT_EQ(enum_name(Cull::kAppend), "append");
  EXPECT_EQ(enum_name(Cull::kScan), "scan");
  EXPECT_EQ(enum_name(Cull::kBallot), "ballot");
  EXPECT_EQ(enum_name(Cull::kLookBack), "look-back");
  EXPECT_EQ(enum_name(Cull::kMove), "move");
  EXPECT_EQ(enum_name(Cull::kThrust), "thrust");
  EXPECT_EQ(enum_name(Cull::kCub), "cub");
  EXPECT_EQ(enum_name(Driver::kGraph), "graph");
  EXPECT_EQ(enum_name(SamplerType::kHash), "hash");
  EXPECT_EQ(enum_name(BvhBuild::kFast), "fast");
  EXPECT_EQ(enum_name(LightChoice::kPower), "power");
}

}  // namespace
}  // namespace winnow
