// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/cdf_table.h"
#include "shading/light/cell_grid.h"

namespace winnow {

struct LightTable;

// Among many local lights, those near a point cause most of its light, but a choice by power finds
// them rarely. The guide divides the list of lights, where neighbours in space are side by side,
// into bins, and the scene into a grid of cells. The table of a cell makes the bins likely that are
// bright there, by power over squared distance. A sample costs one more look-up in a table, and
// remains a monotonic function of its uniform in each bin. Each bin keeps a share of its samples,
// so that the estimate is unbiased.
//
// MIS weights use the density of the choice by power, times one factor for all local lights. So a
// path that hits a light needs neither the cell it came from nor the index of the light.

/// Lights that are side by side in Lights::choices.
struct LightBin {
  uint32_t begin = 0, last = 0;  ///< interval of uniforms that choose them, in units of 2^-32
  /// One over the interval's length, for local lights also over LightGuideTable::mis_factor
  float scale = 1.0f;
};

/// A guide on one device. Built by make_light_guide().
struct LightGuide {
  simt::Span<const uint32_t> tables = {};   ///< [cell], table of each cell; empty: no guide
  simt::Span<const CdfEntry> entries = {};  ///< [table][bin + 1]
  simt::Span<const LightBin> bins = {};     ///< the last one is that of all other lights
  GuideCells cells;

  SIMT_HOST_DEVICE bool exists() const { return tables.size > 0; }
};

/// A uniform that chooses lights as the guide does.
struct GuidedUniform {
  uint32_t u = 0;       ///< in units of 2^-32
  float factor = 1.0f;  ///< density of the guided choice over that of Lights::choices
};

/// @param from    m, the point for which light is sampled
/// @param u       uniform, in units of 2^-32
/// @param digits  an independent uniform, for the digits of `u` that the choice of the bin uses up
SIMT_HOST_DEVICE inline GuidedUniform guide_light(const LightGuide& guide, glm::vec3 from,
                                                  uint32_t u, uint32_t digits) {
  const size_t entries = guide.bins.size + 1;
  const auto table =
      guide.entries.subspan(guide.tables[guide_cell(guide.cells, from)] * entries, entries);
  const CdfSample chosen = sample_cdf_table(table, u);
  const LightBin bin = guide.bins[chosen.item];
  const uint32_t rest = uint32_t(chosen.rest * 0x1p24f) << 8 | digits >> 24;
  const uint64_t width = uint64_t(bin.last - bin.begin) + 1;
  return {bin.begin + uint32_t(rest * width >> 32),
          cdf_probability(table, chosen.item) * bin.scale};
}

/// The contents of LightGuide in host memory, with the same names.
struct LightGuideTable {
  std::vector<uint32_t> tables = {};
  std::vector<CdfEntry> entries = {};
  std::vector<LightBin> bins = {};
  GuideCells cells;
  float mis_factor = 1.0f;  ///< factor of the density of local lights in MIS weights
};

/// Fills LightTable::light_guide, and multiplies the density of local lights by
/// its mis_factor, if the scene has many of them, chosen by power. Runs on all
/// threads of oneTBB; the result does not depend on their number.
void build_light_guide(SceneCells& cells, LightTable& lights);

/// Builds the device's description of a guide. For `upload` see make_lights().
template <class Upload>
LightGuide make_light_guide(const LightGuideTable& table, Upload upload) {
  return {.tables = upload(table.tables),
          .entries = upload(table.entries),
          .bins = upload(table.bins),
          .cells = table.cells};
}

}  // namespace winnow
