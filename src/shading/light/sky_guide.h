// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/cdf_table.h"
#include "shading/light/cell_grid.h"

namespace winnow {

// Where walls hide most of the sky, as in a room with a window, few samples of the whole sky reach
// it. The guide divides the unit square from which the sky is sampled into bins, which are equally
// likely without it, and the scene into a grid of cells. The table of a cell makes the bins likely
// that are visible from there. Each bin keeps a share, so that the estimate is unbiased. A sample
// remains a monotonic function of its uniforms in each bin.
//
// After Guo et al., "Primary Sample Space Path Guiding", EGSR 2018, with tables of visibility that
// are made before rendering and depend on the scene alone.

/// A guide on one device. Built by make_sky_guide().
struct SkyGuide {
  static constexpr uint32_t kLog2Side = 3, kSide = 1u << kLog2Side;  ///< bins along a side
  static constexpr uint32_t kBinCount = kSide * kSide;

  simt::Span<const uint32_t> tables = {};  ///< [cell], table of each cell; empty: no guide
  simt::Span<const CdfEntry> bins = {};    ///< [table][kBinCount + 1]
  GuideCells cells;

  SIMT_HOST_DEVICE bool exists() const { return tables.size > 0; }

  SIMT_HOST_DEVICE simt::Span<const CdfEntry> table(uint32_t index) const {
    return bins.subspan(size_t(index) * (kBinCount + 1), kBinCount + 1);
  }
};

/// Returns the bin of a point of the unit square, in units of 2^-32.
SIMT_HOST_DEVICE inline uint32_t guide_bin(glm::uvec2 u) {
  constexpr uint32_t kShift = 32 - SkyGuide::kLog2Side;
  return u.y >> kShift << SkyGuide::kLog2Side | u.x >> kShift;
}

/// Inverts guide_bin(): returns a point of a bin, in units of 2^-32.
///
/// @param inside  position in the bin, in units of 2^-32, below 2^(32 - kLog2Side)
SIMT_HOST_DEVICE inline glm::uvec2 point_in_bin(uint32_t bin, glm::uvec2 inside) {
  constexpr uint32_t kShift = 32 - SkyGuide::kLog2Side;
  return {bin % SkyGuide::kSide << kShift | inside.x, bin / SkyGuide::kSide << kShift | inside.y};
}

/// Returns the density of points of a bin in the unit square, for a table of the guide.
SIMT_HOST_DEVICE inline float guide_density(const SkyGuide& guide, uint32_t table, uint32_t bin) {
  return float(SkyGuide::kBinCount) * cdf_probability(guide.table(table), bin);
}

/// A point of the unit square that the guide chose.
struct GuidedPoint {
  glm::uvec2 u{0};       ///< in units of 2^-32
  float density = 1.0f;  ///< guide_density()
  uint32_t table = 0;    ///< table of the cell for which it was chosen
};

/// Chooses a point of the unit square by the table of a cell.
///
/// @param u       two independent uniforms, in units of 2^-32
/// @param digits  an independent uniform, for the digits of u.x that the choice of the bin uses up
SIMT_HOST_DEVICE inline GuidedPoint choose_guided(const SkyGuide& guide, uint32_t cell,
                                                  glm::uvec2 u, uint32_t digits) {
  constexpr uint32_t kShift = 32 - SkyGuide::kLog2Side, kDigits = kShift - 24;
  GuidedPoint point;
  point.table = guide.tables[cell];
  const CdfSample bin = sample_cdf_table(guide.table(point.table), u.x);
  const uint32_t rest = uint32_t(bin.rest * 0x1p24f) << kDigits | (digits & ((1u << kDigits) - 1));
  point.u = point_in_bin(bin.item, {rest, u.y >> SkyGuide::kLog2Side});
  point.density = guide_density(guide, point.table, bin.item);
  return point;
}

/// The contents of SkyGuide in host memory, with the same names.
struct SkyGuideTable {
  std::vector<uint32_t> tables = {};
  std::vector<CdfEntry> bins = {};
  GuideCells cells;
};

/// Builds the device's description of a guide. For `upload` see make_lights().
template <class Upload>
SkyGuide make_sky_guide(const SkyGuideTable& table, Upload upload) {
  return {.tables = upload(table.tables), .bins = upload(table.bins), .cells = table.cells};
}

}  // namespace winnow
