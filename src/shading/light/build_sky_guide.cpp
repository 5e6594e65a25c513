// SPDX-License-Identifier: MIT
#include "shading/light/build_sky_guide.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glm/common.hpp>

#include "math/sampler.h"
#include "shading/light/cell_grid.h"

namespace winnow {
namespace {

constexpr uint32_t kBinCount = SkyGuide::kBinCount;
/// Points of a cell from which one ray is traced in each bin.
constexpr uint32_t kPointCount = 4;
/// Share of the samples that is divided equally among the bins. The variance of light from a
/// direction that no ray found grows by at most its inverse.
constexpr float kUniformShare = 1.0f / 16.0f;
/// Weight of the points of a neighbouring cell relative to a cell's own, for each axis along which
/// the cells differ.
constexpr float kNeighbourWeight = 0.5f;
/// Weight that each bin gives to those beside it.
constexpr float kAdjacentWeight = 1.0f / 16.0f;
/// Cells that are examined before the guide is built.
constexpr uint32_t kTrialCells = 128;
/// A guide pays at a point if it makes samples this many times as likely to reach the sky. It is
/// built if it pays at this share of the points that see any sky.
constexpr float kMinGain = 4.0f, kMinShare = 0.25f;

/// The bins in which a point sees the sky: bit i is bin i.
using VisibleBins = uint64_t;
static_assert(kBinCount == 64);
using CellPoints = std::array<VisibleBins, kPointCount>;
using BinWeights = std::array<float, kBinCount>;

/// Traces a ray in each bin from random points of a cell.
CellPoints look_from(const CellGrid& grid, uint32_t cell, const SkyVisibility& sky) {
  CellPoints points{};
  for (uint32_t i = 0; i < kPointCount; ++i) {
    const Sampler sampler{.pixel = cell, .sample = i};
    const glm::vec3 origin = grid.point(cell, glm::vec3(sampler.sample4(0)));
    for (uint32_t bin = 0; bin < kBinCount; ++bin) {
      const glm::uvec2 random(sampler.light3(1 + bin));
      const glm::vec3 w = sky.direction(point_in_bin(bin, random >> SkyGuide::kLog2Side));
      if (w != glm::vec3(0.0f) && !sky.is_occluded({.origin = origin, .direction = w}))
        points[i] |= VisibleBins(1) << bin;
    }
  }
  return points;
}

/// Adds the bins that a point sees. Each point has the same weight, so that points in front of a
/// wall, which see much of the sky, do not outweigh those behind it.
void add_point(VisibleBins visible, float weight, BinWeights& weights) {
  if (visible == 0) return;
  const float share = weight / float(std::popcount(visible));
  for (uint32_t bin = 0; bin < kBinCount; ++bin)
    if (visible >> bin & 1) weights[bin] += share;
}

/// Returns the weights of bins for a cell, from what its points and those around it see.
///
/// @param points  [cell of the grid]
BinWeights weights_around(const CellGrid& grid, const std::vector<CellPoints>& points,
                          uint32_t cell) {
  BinWeights seen{};
  const glm::ivec3 at(grid.place(cell)), first = glm::max(at - 1, 0),
                                         last = glm::min(at + 1, glm::ivec3(grid.size) - 1);
  for (int z = first.z; z <= last.z; ++z)
    for (int y = first.y; y <= last.y; ++y)
      for (int x = first.x; x <= last.x; ++x) {
        float weight = 1.0f;
        for (const bool is_aside : {x != at.x, y != at.y, z != at.z})
          if (is_aside) weight *= kNeighbourWeight;
        for (const VisibleBins visible : points[grid.cell({x, y, z})])
          add_point(visible, weight, seen);
      }
  BinWeights weights = seen;
  constexpr int kSide = SkyGuide::kSide;
  for (int bin = 0; bin < int(kBinCount); ++bin) {
    const int x = bin % kSide, y = bin / kSide;
    const float sum = (x > 0 ? seen[bin - 1] : 0.0f) + (x < kSide - 1 ? seen[bin + 1] : 0.0f) +
                      (y > 0 ? seen[bin - kSide] : 0.0f) +
                      (y < kSide - 1 ? seen[bin + kSide] : 0.0f);
    weights[bin] += kAdjacentWeight * sum;
  }
  return weights;
}

/// Returns the probabilities of bins of these weights; all are equal if all weights are 0.
BinWeights probabilities(BinWeights weights) {
  float sum = 0.0f;
  for (float weight : weights) sum += weight;
  const float equal = 1.0f / float(kBinCount);
  for (float& weight : weights)
    weight = sum > 0.0f ? (1.0f - kUniformShare) * (weight / sum) + kUniformShare * equal : equal;
  return weights;
}

/// Returns whether the guide would pay in the cells of a trial, where half of the points of each
/// cell predicts what the others see.
bool pays(const std::vector<CellPoints>& cells) {
  uint32_t seeing = 0, gaining = 0;
  for (const CellPoints& points : cells)
    for (uint32_t half = 0; half < 2; ++half) {
      BinWeights weights{};
      for (uint32_t i = half; i < kPointCount; i += 2) add_point(points[i], 1.0f, weights);
      weights = probabilities(weights);
      for (uint32_t i = 1 - half; i < kPointCount; i += 2) {
        if (points[i] == 0) continue;
        float guided = 0.0f;
        for (uint32_t bin = 0; bin < kBinCount; ++bin)
          if (points[i] >> bin & 1) guided += weights[bin];
        ++seeing;
        gaining += guided * float(kBinCount) >= kMinGain * float(std::popcount(points[i]));
      }
    }
  return float(gaining) > kMinShare * float(seeing);
}

/// Calls look_from() for some cells, in parallel.
std::vector<CellPoints> look_from_all(const CellGrid& grid, const std::vector<uint32_t>& cells,
                                      const SkyVisibility& sky) {
  std::vector<CellPoints> points(cells.size());
  oneapi::tbb::parallel_for(size_t(0), cells.size(),
                            [&](size_t i) { points[i] = look_from(grid, cells[i], sky); });
  return points;
}

}  // namespace

SkyGuideTable build_sky_guide(SceneCells& scene_cells, const SkyVisibility& sky) {
  const CellGrid& grid = scene_cells.grid();
  if (grid.box.is_empty()) return {};
  const std::vector<uint32_t>& cells = scene_cells.with_surfaces();
  std::vector<uint32_t> trial;
  const size_t trials = std::min<size_t>(kTrialCells, cells.size());
  for (size_t i = 0; i < trials; ++i) trial.push_back(cells[i * cells.size() / trials]);
  if (!pays(look_from_all(grid, trial, sky))) return {};

  const std::vector<CellPoints> points = look_from_all(grid, cells, sky);
  std::vector<CellPoints> points_of_cell(grid.count(), CellPoints{});
  for (size_t i = 0; i < cells.size(); ++i) points_of_cell[cells[i]] = points[i];

  // Table 0 is that of cells without surfaces, and of those from which no sky was found.
  SkyGuideTable guide{.tables = std::vector<uint32_t>(grid.count(), 0),
                      .cells = grid.guide_cells()};
  append_cdf_table(probabilities({}), guide.bins);
  uint32_t tables = 1;
  for (const uint32_t cell : cells) {
    const BinWeights weights = weights_around(grid, points_of_cell, cell);
    if (weights == BinWeights{}) continue;
    append_cdf_table(probabilities(weights), guide.bins);
    guide.tables[cell] = tables++;
  }
  return guide;
}

}  // namespace winnow
