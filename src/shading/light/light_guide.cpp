// SPDX-License-Identifier: MIT
#include "shading/light/light_guide.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "shading/light/light_table.h"

namespace winnow {
namespace {

/// Fewest local lights for which the guide is built.
constexpr size_t kManyLights = 32;
constexpr uint32_t kMaxBins = 256;
/// Share of the samples that the bins divide by power. A lamp that is visible beyond near ones that
/// are not costs at most its inverse in variance.
constexpr float kShareByPower = 1.0f / 8.0f;

/// Share of the power of all local lights with which a bin may begin: products with its power must
/// not round to 0.
constexpr float kLeastPower = 1e-30f;

/// The lights of a bin, as one.
struct Cluster {
  float power = 0.0f;  ///< share of the power of all local lights
  glm::vec3 center{0.0f};
  float radius2 = 0.0f;  ///< m^2, mean squared distance of the lights from the center
};

glm::vec3 middle_of(const Light& light) {
  return light.p + (light.edge1 + light.edge2) / 3.0f;  // edges are zero but for triangles
}

/// Divides the local lights into bins of about equal power, none of which is zero. Returns the
/// first light of each, and their count.
std::vector<uint32_t> divide(const LightTable& lights) {
  std::vector<uint32_t> first;
  double before = 0.0;
  uint32_t bin = ~0u;
  for (uint32_t light = 0; light < lights.local.size(); ++light) {
    const auto place = uint32_t(before * kMaxBins);
    if (place != bin && (first.empty() || lights.local_pmfs[light] > kLeastPower)) {
      first.push_back(light);
      bin = place;
    }
    before += double(lights.local_pmfs[light]);
  }
  first.push_back(uint32_t(lights.local.size()));
  return first;
}

Cluster cluster_of(const LightTable& lights, uint32_t first, uint32_t end) {
  Cluster cluster;
  for (uint32_t i = first; i < end; ++i) {
    cluster.power += lights.local_pmfs[i];
    cluster.center += lights.local_pmfs[i] * middle_of(lights.local[i]);
  }
  cluster.center /= cluster.power;
  for (uint32_t i = first; i < end; ++i) {
    const glm::vec3 offset = middle_of(lights.local[i]) - cluster.center;
    cluster.radius2 += lights.local_pmfs[i] / cluster.power * glm::dot(offset, offset);
  }
  return cluster;
}

}  // namespace

void build_light_guide(SceneCells& scene_cells, LightTable& lights) {
  if (!lights.by_power || lights.local.size() < kManyLights) return;
  const CellGrid& grid = scene_cells.grid();
  const std::vector<uint32_t> first = divide(lights);
  const auto bins = uint32_t(first.size() - 1);
  if (bins < 2) return;  // one lamp has nearly all of the power, and a table needs two items
  std::vector<Cluster> clusters;
  LightGuideTable guide{.tables = std::vector<uint32_t>(grid.count(), 0),
                        .cells = grid.guide_cells()};
  for (uint32_t bin = 0; bin < bins; ++bin) {
    clusters.push_back(cluster_of(lights, first[bin], first[bin + 1]));
    guide.bins.push_back({.begin = lights.choices[first[bin]].begin,
                          .last = lights.choices[first[bin + 1]].begin - 1});
  }
  guide.bins.push_back(
      {.begin = guide.bins.back().last + 1, .last = lights.choices.back().begin - 1});

  // Table 0 is that of cells without surfaces.
  const std::vector<uint32_t>& cells = scene_cells.with_surfaces();
  const size_t entries = bins + 2;
  guide.entries.resize((cells.size() + 1) * entries);
  std::vector<double> factors(cells.size(), 1.0);
  const float local = lights.local_probability;
  const auto fill = [&](size_t table, const auto& share_of) {
    std::vector<float> weights(bins + 1, 1.0f - local);
    for (uint32_t bin = 0; bin < bins; ++bin) weights[bin] = local * share_of(bin);
    std::vector<CdfEntry> filled;
    append_cdf_table(weights, filled);
    std::copy(filled.begin(), filled.end(), guide.entries.begin() + ptrdiff_t(table * entries));
  };
  fill(0, [&](uint32_t bin) { return clusters[bin].power; });
  const glm::vec3 side = grid.box.size() / glm::vec3(grid.size);
  oneapi::tbb::parallel_for(size_t(0), cells.size(), [&](size_t i) {
    const glm::vec3 center = grid.point(cells[i], glm::vec3(0.5f));
    std::vector<float> light(bins);  // light of each bin in the cell, without occluders
    float sum = 0.0f;
    for (uint32_t bin = 0; bin < bins; ++bin) {
      const glm::vec3 offset = clusters[bin].center - center;
      light[bin] = clusters[bin].power / (glm::dot(offset, offset) + clusters[bin].radius2 +
                                          glm::dot(side, side) / 12.0f);
      sum += light[bin];
    }
    if (!(sum > 0.0f && sum <= kMaxFloat)) return;
    factors[i] = 0.0;
    for (uint32_t bin = 0; bin < bins; ++bin) {
      light[bin] =
          (1.0f - kShareByPower) * (light[bin] / sum) + kShareByPower * clusters[bin].power;
      factors[i] += double(light[bin]) * double(light[bin] / clusters[bin].power);
    }
    guide.tables[cells[i]] = uint32_t(i) + 1;
    fill(i + 1, [&](uint32_t bin) { return light[bin]; });
  });

  // MIS weights have the mean of the factor by which the guide raises the probability of the light
  // that it chooses.
  double factor = 0.0;
  for (double cell_factor : factors) factor += cell_factor / double(factors.size());
  if (!(factor >= 1.0 && factor <= kMaxBins)) factor = 1.0;
  guide.mis_factor = float(factor);
  for (LightBin& bin : guide.bins) {
    bin.scale = 0x1p32f / (float(bin.last - bin.begin) + 1.0f);
    if (&bin != &guide.bins.back()) bin.scale /= guide.mis_factor;
  }
  lights.local_probability *= guide.mis_factor;
  lights.light_guide = std::move(guide);
}

}  // namespace winnow
