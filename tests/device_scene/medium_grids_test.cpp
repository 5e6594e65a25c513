// SPDX-License-Identifier: MIT
#include "device_scene/medium_grids.h"

#include <gtest/gtest.h>

#include <glm/gtc/matrix_transform.hpp>
#include <random>

#include "tests/device_scene/support/medium_grid_of.h"
#include "tests/scene/volumes/support/grids.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

/// Integral of the density along a ray by the trapezoidal rule within bricks.
double integral_of_density(const MediumGrid& grid, const Ray& ray, uint32_t steps = 4000) {
  const GridRay in_grid(grid, ray);
  double sum = 0.0;
  visit_bricks(grid, in_grid, 0.0f, ray.t_max,
               [&](const GridBrick& brick, glm::ivec3 low, float t, float t_end) {
                 for (uint32_t i = 0; i < steps; ++i) {
                   const float at = t + (t_end - t) * (float(i) + 0.5f) / float(steps);
                   const glm::vec3 p = in_grid.origin + at * in_grid.direction;
                   sum += double(density_in_brick(grid, brick, low, p) * (t_end - t)) / steps;
                 }
                 return false;
               });
  return sum;
}

/// Array [k][j][i] with sample (i, j, k) at x = i: as Mitsuba and pbrt, in the box from 0 to 1.
TEST(MediumGrid, InterpolatesBetweenSamplesInTheOrderOfTheAxes) {
  for (const glm::uvec3 size : {glm::uvec3(2, 3, 4), glm::uvec3(9, 20, 8)})
    for (const GridBorder border : {GridBorder::kFade, GridBorder::kClamp}) {
      const DensityGrid host = random_grid(size, border, 1);
      const glm::mat4 to_world = skew_placement();
      const MediumGridOf grid(host, to_world);
      std::mt19937 random(2);
      std::uniform_real_distribution<float> uniform;
      for (int i = 0; i < 2000; ++i) {
        const glm::vec3 in_box{uniform(random), uniform(random), uniform(random)};
        const glm::vec3 world(to_world * glm::vec4(in_box, 1.0f));
        const glm::vec3 p = (*grid).to_grid * glm::vec4(world, 1.0f);
        expect_near(p, in_box * glm::vec3(size) + 0.5f, 1e-4f);
        const glm::ivec3 place = glm::ivec3(p) / int(GridBrick::kSide);
        const GridBrick& brick = (*grid).bricks[(*grid).brick_index(place)];
        const double expected = reference_density(host, glm::dvec3(p) - 1.0);
        const float density =
            brick.max_density == 0.0f
                ? 0.0f
                : density_in_brick(*grid, brick, int(GridBrick::kSide) * place, p);
        ASSERT_NEAR(density, expected, 1e-5);
        ASSERT_NEAR(value_at(*grid, world), expected, 1e-5);
      }
    }
}

/// Four ones in a row, each in a cell of 1 m: their border is half a cell wide outside of the box.
TEST(MediumGrid, FadesToZeroHalfACellOutsideOfItsBox) {
  const DensityGrid ones = grid_of({4, 1, 1}, GridBorder::kFade, [](auto...) { return 1.0f; });
  const MediumGridOf grid(ones, glm::scale(glm::mat4(1.0f), {4, 1, 1}));
  EXPECT_NEAR(integral_of_density(*grid, {{-9, 0.5f, 0.5f}, {1, 0, 0}}), 4.0, 1e-4);
  EXPECT_NEAR(integral_of_density(*grid, {{-9, 0, 0.5f}, {1, 0, 0}}), 2.0, 1e-4);
  EXPECT_NEAR(integral_of_density(*grid, {{-9, -0.25f, 0.5f}, {1, 0, 0}}), 1.0, 1e-4);
  EXPECT_NEAR(integral_of_density(*grid, {{-9, -0.51f, 0.5f}, {1, 0, 0}}), 0.0, 1e-4);
  EXPECT_NEAR(integral_of_density(*grid, {{-0.5f, 0.5f, 0.5f}, {1, 0, 0}, 0.5f}), 0.125, 1e-4);
}

TEST(MediumGrid, FadesButOnlyInsideOfItsBoxIfItIsCut) {
  const DensityGrid ones = grid_of({4, 1, 1}, GridBorder::kCut, [](auto...) { return 1.0f; });
  const MediumGridOf grid(ones, glm::scale(glm::mat4(1.0f), {4, 1, 1}));
  EXPECT_NEAR(integral_of_density(*grid, {{-9, 0.5f, 0.5f}, {1, 0, 0}}), 3.75, 1e-4);
  EXPECT_NEAR(integral_of_density(*grid, {{-9, 0.25f, 0.5f}, {1, 0, 0}}), 0.75 * 3.75, 1e-4);
  EXPECT_EQ(integral_of_density(*grid, {{-9, -0.01f, 0.5f}, {1, 0, 0}}), 0.0);
}

TEST(MediumGrid, ClampsInsideOfItsBoxAndIsClearOutside) {
  const DensityGrid ones = grid_of({4, 1, 1}, GridBorder::kClamp, [](auto...) { return 1.0f; });
  const MediumGridOf grid(ones, glm::scale(glm::mat4(1.0f), {4, 1, 1}));
  for (const float y : {0.01f, 0.5f, 0.99f})
    EXPECT_NEAR(integral_of_density(*grid, {{-9, y, 0.5f}, {1, 0, 0}}), 4.0, 1e-4);
  for (const float y : {-0.01f, 1.01f})
    EXPECT_EQ(integral_of_density(*grid, {{-9, y, 0.5f}, {1, 0, 0}}), 0.0);
}

/// Two samples, 1 and 3, along each axis, and two boxes of them beside each other.
TEST(MediumGrid, RepeatsInsideOfItsBoxAndIsClearOutside) {
  const DensityGrid grid = grid_of({2, 1, 1}, GridBorder::kRepeat,
                                   [](auto i, auto, auto) { return i == 0 ? 1.0f : 3.0f; });
  const MediumGridOf placed(grid, glm::mat4(1.0f));
  const auto at = [&](float x) { return value_at(*placed, {x, 0.3f, 0.9f}); };
  EXPECT_NEAR(at(0.25f), 1.0f, 1e-5f);
  EXPECT_NEAR(at(0.5f), 2.0f, 1e-5f);
  EXPECT_NEAR(at(0.875f), 2.5f, 1e-5f) << "a quarter of the way to the first sample";
  EXPECT_NEAR(at(0.0f), 2.0f, 1e-5f);
  EXPECT_EQ(at(1.01f), 0.0f);
}

TEST(MediumGrid, IsVisitedBrickByBrickWithoutGapsAlongAnyRay) {
  const DensityGrid full = grid_of({30, 17, 50}, GridBorder::kClamp, [](auto...) { return 1.0f; });
  const MediumGridOf grid(full, glm::mat4(1.0f));
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1.0f, 2.0f);
  uint32_t hits = 0;
  for (int i = 0; i < 3000; ++i) {
    glm::vec3 from{uniform(random), uniform(random), uniform(random)};
    glm::vec3 to{uniform(random), uniform(random), uniform(random)};
    for (int axis = 0; axis < 3; ++axis)  // also parallel to sides, and on the edges of bricks
      if (uniform(random) < -0.5f) from[axis] = to[axis] = i % 2 ? 0.5f : 8.0f / 30.0f;
    if (from == to) continue;
    const Ray ray{from, glm::normalize(to - from), glm::distance(from, to)};
    double first = 0.0, last = ray.t_max;
    for (int axis = 0; axis < 3; ++axis) {
      const double d = ray.direction[axis], o = ray.origin[axis];
      if (d == 0.0) {
        if (o < 0.0 || o > 1.0) last = -1.0;
        continue;
      }
      first = std::max(first, std::min((0.0 - o) / d, (1.0 - o) / d));
      last = std::min(last, std::max((0.0 - o) / d, (1.0 - o) / d));
    }
    double length = 0.0;
    float t_before = -1.0f;
    visit_bricks(*grid, GridRay(*grid, ray), 0.0f, ray.t_max,
                 [&](const GridBrick&, glm::ivec3 low, float t, float t_end) {
                   EXPECT_EQ(t, t_before < 0.0f ? t : t_before);
                   t_before = t_end;
                   length += double(t_end) - double(t);
                   const glm::vec3 middle =
                       (*grid).to_grid *
                       glm::vec4(ray.origin + 0.5f * (t + t_end) * ray.direction, 1.0f);
                   for (int axis = 0; axis < 3; ++axis) {
                     EXPECT_GE(middle[axis], float(low[axis]) - 1e-3f);
                     EXPECT_LE(middle[axis], float(low[axis]) + 8.001f);
                   }
                   return false;
                 });
    EXPECT_NEAR(length, std::max(last - first, 0.0), 2e-5);
    hits += last > first;
  }
  EXPECT_GT(hits, 1000u);
}

TEST(MediumGrid, HasNoValueBeyondItsBorder) {
  const DensityGrid ones = grid_of({4, 1, 1}, GridBorder::kClamp, [](auto...) { return 1.0f; });
  const MediumGridOf grid(ones, skew_placement());
  const auto at = [&](glm::vec3 in_box) {
    return value_at(*grid, glm::vec3(skew_placement() * glm::vec4(in_box, 1.0f)));
  };
  EXPECT_EQ(at({0.01f, 0.01f, 0.99f}), 1.0f);
  for (const glm::vec3 outside : {glm::vec3(-0.01f, 0.5f, 0.5f), glm::vec3(0.5f, 0.5f, 1.01f),
                                  glm::vec3(1e30f), glm::vec3(NAN)})
    EXPECT_EQ(at(outside), 0.0f);
}

/// The first medium emits nothing, the second one by a table of three entries and a constant.
TEST(MediumGrid, EmitsTheSumOfTheTablesOfItsMedium) {
  HostScene scene;
  scene.media = {{.absorption = glm::vec3(1.0f)},
                 {.absorption = glm::vec3(1.0f)},
                 {.scattering = glm::vec3(1.0f)}};
  scene.camera_medium = 0;
  scene.grids = {grid_of({1, 2, 1}, GridBorder::kClamp,
                         [](auto, auto j, auto) { return j == 0 ? 1.0f : 3.0f; })};
  scene.emission = {{.medium = 2, .placement = {}, .radiances = {glm::vec3(9.0f)}},
                    {.medium = 1, .placement = {}, .radiances = {{0.0f, 0.0f, 1.0f}}},
                    {.medium = 1,
                     .placement = {.grid = 0},
                     .step = 1.0f,
                     .radiances = {glm::vec3(5.0f), {1, 0, 0}, {2, 4, 0}}}};
  const MediumGridTables tables = make_medium_grids(scene);
  ASSERT_EQ(tables.media.size(), 3u);
  EXPECT_EQ(tables.media[0].emission.size, 0u);
  EXPECT_EQ(tables.media[2].emission.size, 0u) << "a medium that absorbs nothing emits nothing";
  const auto at = [&](float y) { return emitted_at(tables.media[1].emission, {0.5f, y, 0.5f}); };
  EXPECT_EQ(at(0.25f), glm::vec3(1, 0, 1));
  expect_near(at(0.25f + 0.125f), glm::vec3(1.5f, 2, 1), 1e-5f);
  EXPECT_EQ(at(0.75f), glm::vec3(2, 4, 1)) << "the last entry holds beyond the table";
  EXPECT_EQ(at(1.5f), glm::vec3(5, 5, 6)) << "the value is 0 outside of the grid";
}

/// The first part has the radiance 2 at the lower half of y and 6 at the upper one; its factors are
/// in a box from y = 1 to 2 and grow from 1 to 3. The second part has no factors.
TEST(MediumGrid, EmitsTheProductOfTwoGrids) {
  HostScene scene;
  scene.media = {{.absorption = glm::vec3(1.0f)}};
  scene.camera_medium = 0;
  const DensityGrid ramp = grid_of({1, 2, 1}, GridBorder::kClamp,
                                   [](auto, auto j, auto) { return j == 0 ? 1.0f : 3.0f; });
  scene.grids = {ramp, ramp};
  EmissionPart part = proportional_emission(glm::vec3(2.0f), 3.0f);
  part.placement = {.grid = 0, .to_world = glm::mat4x3(glm::scale(glm::mat4(1), {1, 4, 1}))};
  part.factors = {.grid = 1, .to_world = glm::mat4x3(glm::translate(glm::mat4(1), {0, 1, 0}))};
  scene.emission = {part, {.medium = 0, .placement = {}, .radiances = {glm::vec3(0.5f)}}};
  const MediumGridTables tables = make_medium_grids(scene);
  const auto at = [&](float y) { return emitted_at(tables.media.at(0).emission, {0.5f, y, 0.5f}); };
  expect_near(at(0.5f), glm::vec3(0.5f), 1e-5f);
  expect_near(at(1.1f), glm::vec3(0.5f + 2.0f * 1.1f), 1e-5f);
  expect_near(at(1.5f), glm::vec3(0.5f + 2.0f * 1.5f * 2.0f), 1e-5f);
  expect_near(at(1.9f), glm::vec3(0.5f + 2.0f * 1.9f * 3.0f), 1e-5f);
}

/// Red has a grid of its own; green and blue share one. Media without factors scatter by 1.
TEST(MediumGrid, HasFactorsOfScatteringThatContinueBeyondTheirBox) {
  HostScene scene;
  scene.media.resize(2);
  scene.camera_medium = 0;
  scene.grids = {grid_of({2, 1, 1}, GridBorder::kClamp,
                         [](auto i, auto, auto) { return i == 0 ? 0.25f : 0.75f; }),
                 grid_of({1, 1, 1}, GridBorder::kClamp, [](auto...) { return 0.5f; })};
  scene.scattering_factors = {{.medium = 1, .channels = {{{.grid = 0}, {.grid = 1}, {.grid = 1}}}}};
  const MediumGridTables tables = make_medium_grids(scene);
  ASSERT_EQ(tables.media.size(), 2u);
  EXPECT_EQ(scattering_factors_at(tables.media[0], glm::vec3(0.5f)), glm::vec3(1.0f));
  const auto at = [&](float x) { return scattering_factors_at(tables.media[1], {x, 0.2f, 7.0f}); };
  for (const auto& [x, red] : {std::pair(0.5f, 0.5f), {0.1f, 0.25f}, {-3.0f, 0.25f}, {9.0f, 0.75f}})
    expect_near(at(x), {red, 0.5f, 0.5f}, 1e-5f);
  EXPECT_EQ(at(NAN).x, 0.25f);
}

TEST(MediumGrid, IsOfItsMediumOnlyAndNotMadeWhereNoPathMeetsIt) {
  HostScene scene;
  scene.media.resize(3);
  scene.grids = {grid_of({1, 1, 1}, GridBorder::kFade, [](auto...) { return 1.0f; })};
  scene.grid_placements = {{}, {.grid = 0}, {}};
  EXPECT_TRUE(make_medium_grids(scene).media.empty());
  scene.camera_medium = 1;
  const std::vector<MediumGrid> grids = make_medium_grids(scene).media;
  ASSERT_EQ(grids.size(), 3u);
  EXPECT_EQ(grids[0].bricks.size, 0u);
  EXPECT_EQ(grids[1].bricks.size, 1u);
  EXPECT_EQ(grids[2].bricks.size, 0u);
}

}  // namespace
}  // namespace winnow
