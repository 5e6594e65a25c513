// SPDX-License-Identifier: MIT
#include "device_scene/volume_light.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "math/random_stream.h"
#include "tests/device_scene/support/medium_grid_of.h"
#include "tests/scene/volumes/support/grids.h"
#include "tests/support/chi_square.h"
#include "tests/support/estimate.h"

namespace winnow {
namespace {

const glm::vec3 kRadiance{5.0f, 4.0f, 3.0f};

/// A medium around the camera, in the box of skew_placement(), that glows where it is dense.
HostScene glowing_scene(const DensityGrid& densities) {
  HostScene scene;
  scene.media = {{.absorption = {0.02f, 0.01f, 0.005f}, .scattering = {0.01f, 0.02f, 0.03f}}};
  scene.camera_medium = 0;
  scene.grids = {densities};
  scene.grid_placements = {{.grid = 0, .to_world = glm::mat4x3(skew_placement())}};
  scene.emission = {{.medium = 0, .placement = {}, .radiances = {kRadiance}}};
  return scene;
}

/// A box whose density grows along x, with a hole.
DensityGrid ramp_with_hole(uint32_t side) {
  return grid_of(glm::uvec3(side), GridBorder::kFade, [side](auto i, auto j, auto k) {
    const bool is_hole = 3 * i < side && 2 * j < side && 2 * k < side;
    return is_hole ? 0.0f : (float(i) + 0.5f) / float(side);
  });
}

/// A VolumeLight and the grids that it belongs to.
struct LightOfScene {
  HostScene scene;
  MediumGridTables grids = make_medium_grids(scene);
  VolumeLightTable table = build_volume_light(scene);
  VolumeLight light = make_volume_light(table);

  explicit LightOfScene(HostScene any) : scene(std::move(any)) {}
  LightOfScene(const LightOfScene&) = delete;  // its members view each other

  /// @param margin  smallest distance from the faces of a cell, relative to its side
  VolumePoint sample(uint32_t i, float margin = 0.0f) const {
    RandomStream random({i, 11});
    const auto bits = uint32_t(random.uniform() * 0x1p24f) << 8;
    const auto inside = [&] { return margin + (1.0f - 2.0f * margin) * random.uniform(); };
    const float x = inside(), y = inside(), z = inside();
    return sample_volume_light(light, bits | i % 256, {x, y, z});
  }
};

/// The points in 7^3 parts of the grid. Parts expect the integral of the density, by the midpoints
/// of twice as many cells as the grid has along each axis.
TEST(VolumeLight, SamplesPointsInProportionToTheirEmission) {
  constexpr uint32_t kSamples = 200'000, kParts = 7, kSide = 20;
  constexpr int kCells = kSide + 1, kPoints = 2 * kCells;
  const DensityGrid densities = ramp_with_hole(kSide);
  const LightOfScene glow(glowing_scene(densities));
  std::vector<HistogramBin> histogram(kParts * kParts * kParts);
  const auto part_of = [&](glm::vec3 in_grid) -> HistogramBin& {
    const glm::uvec3 part(in_grid * (float(kParts) / float(kCells)));
    return histogram.at((part.z * kParts + part.y) * kParts + part.x);
  };
  double total = 0.0;
  for (int i = 0; i < kPoints * kPoints * kPoints; ++i) {
    const glm::ivec3 place(i % kPoints, i / kPoints % kPoints, i / (kPoints * kPoints));
    const glm::dvec3 in_grid = 0.5 * (glm::dvec3(place) + 0.5);
    const double density = reference_density(densities, in_grid - 1.0);
    part_of(glm::vec3(in_grid)).expected += density;
    total += density;
  }
  for (HistogramBin& bin : histogram) bin.expected *= kSamples / total;
  for (uint32_t i = 0; i < kSamples; ++i)
    part_of(glow.grids.media[0].to_grid * glm::vec4(glow.sample(i).p, 1.0f)).observed += 1.0;
  EXPECT_TRUE(fits_density(histogram));
}

/// Also where cells are larger than those of the grid.
TEST(VolumeLight, HasTheDensityOfItsPoints) {
  for (const uint32_t side : {20u, 100u}) {
    SCOPED_TRACE(side);
    const LightOfScene glow(glowing_scene(ramp_with_hole(side)));
    EXPECT_EQ(glow.light.log2_side, side == 20 ? 3u : 2u);
    double volume = 0.0;
    for (size_t cell = 0; cell + 1 < glow.table.cells.size(); ++cell)
      volume += glow.table.cells[cell].begin != glow.table.cells[cell + 1].begin;
    const double cell_side = double(GridBrick::kSide >> glow.light.log2_side) / side;
    volume *= 4.0 * cell_side * cell_side * cell_side;  // the box has 4 m^3
    const Estimate inverse = estimate(50'000, [&](uint32_t i) {
      const VolumePoint point = glow.sample(i, 0.01f);
      const float pdf = volume_point_pdf(glow.light, 0, glow.grids.media[0], point.p);
      EXPECT_EQ(point.pdf, pdf) << i;
      return 1.0 / double(pdf);
    });
    EXPECT_NEAR(inverse.mean, volume, 5.0 * inverse.error);
    EXPECT_LT(inverse.error, 0.02 * volume);
  }
}

TEST(VolumeLight, HasNoDensityWhereNothingEmits) {
  const LightOfScene glow(glowing_scene(ramp_with_hole(20)));
  const auto pdf_at = [&](glm::vec3 in_box) {
    const glm::vec3 p(skew_placement() * glm::vec4(in_box, 1.0f));
    return volume_point_pdf(glow.light, 0, glow.grids.media[0], p);
  };
  EXPECT_GT(pdf_at({0.9f, 0.9f, 0.1f}), 0.0f);
  EXPECT_EQ(pdf_at({0.1f, 0.1f, 0.1f}), 0.0f);
}

/// The power over 4 pi of a density of x in a box of 4 m^3.
TEST(VolumeLight, HasThePowerOfItsMedia) {
  const DensityGrid ramp = grid_of({32, 2, 2}, GridBorder::kClamp,
                                   [](auto i, auto...) { return (float(i) + 0.5f) / 32.0f; });
  const LightOfScene glow(glowing_scene(ramp));
  const Estimate power = estimate(20'000, [&](uint32_t i) {
    const VolumePoint point = glow.sample(i);
    return double(value_at(glow.grids.media[0], point.p) / point.pdf);
  });
  EXPECT_NEAR(power.mean, 0.5 * 4.0, 5.0 * power.error);
  EXPECT_LT(power.error, 0.01 * power.mean);
}

/// Two media, one of which has a hundredth of the emission of the other in the same box.
TEST(VolumeLight, ChoosesAmongMediaByTheirPower) {
  HostScene scene = glowing_scene(ramp_with_hole(9));
  scene.media.push_back(scene.media[0]);
  scene.media.push_back({.scattering = glm::vec3(1.0f)});  // emits nothing
  scene.grid_placements.resize(3, scene.grid_placements[0]);
  scene.emission.push_back({.medium = 1, .placement = {}, .radiances = {0.01f * kRadiance}});
  scene.emission.push_back({.medium = 2, .placement = {}, .radiances = {kRadiance}});
  const LightOfScene glow(scene);
  std::map<uint32_t, uint32_t> counts;
  for (uint32_t i = 0; i < 100'000; ++i) ++counts[glow.sample(i).medium];
  EXPECT_NEAR(double(counts[1]) / 100'000, 0.01 / 1.01, 5.0 * std::sqrt(0.01 / 100'000));
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_EQ(volume_point_pdf(glow.light, 2, glow.grids.media[2], glow.sample(0).p), 0.0f);
}

/// Across a cube of thin smoke, and down to an optical depth of 1 in dense smoke.
TEST(VolumeLight, IsSeenAlongItsSizeOrItsMeanFreePath) {
  HostScene scene =
      glowing_scene(grid_of({16, 16, 16}, GridBorder::kClamp, [](auto...) { return 1.0f; }));
  scene.grid_placements[0].to_world = glm::mat4x3(glm::scale(glm::mat4(1.0f), glm::vec3(3.0f)));
  scene.media[0] = {.absorption = glm::vec3(1e-4f)};
  EXPECT_NEAR(LightOfScene(scene).light.media[0].length, 3.0f, 0.01f);
  scene.media[0] = {.absorption = glm::vec3(150.0f), .scattering = glm::vec3(50.0f)};
  EXPECT_NEAR(LightOfScene(scene).light.media[0].length, 1.0f / 200.0f, 1e-4f);
}

TEST(VolumeLight, IsEmptyWithoutAGridThatGlows) {
  const DensityGrid ones = grid_of({4, 4, 4}, GridBorder::kClamp, [](auto...) { return 1.0f; });
  EXPECT_FALSE(build_volume_light(glowing_scene(ones)).cells.empty());
  HostScene dark = glowing_scene(ones), white = dark, homogeneous = dark, black = dark;
  dark.emission.clear();
  white.media[0] = {.scattering = glm::vec3(1.0f)};
  homogeneous.grid_placements.clear();
  black.emission[0].radiances = {glm::vec3(0.0f)};
  for (const HostScene& scene : {dark, white, homogeneous, black, HostScene{}})
    EXPECT_TRUE(build_volume_light(scene).cells.empty());
}

}  // namespace
}  // namespace winnow
