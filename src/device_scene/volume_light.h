// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "compaction/simt/span.h"
#include "device_scene/medium_grids.h"
#include "math/cdf_table.h"
#include "scene/host_scene.h"
#include "shading/light/light.h"

namespace winnow {

// Next-event estimation of media that emit: a shadow ray goes to a point of a medium with a grid.
// The point is chosen among cells of the grid, in proportion to what they emit, and uniformly in
// its cell. Densities of points are per volume, m^-3; the square of the distance makes them
// densities per direction and length, m^-1 sr^-1.

/// A brick of a grid in which a medium emits.
struct EmittingBrick {
  glm::ivec3 low{0};  ///< its corner in grid space
  uint32_t medium = 0;
};

/// A medium as VolumeLight sees it.
struct EmittingMedium {
  static constexpr uint32_t kDark = ~0u;

  glm::mat4x3 to_world{1.0f};     ///< from grid space to the world (m)
  uint32_t first_brick = kDark;   ///< index in VolumeLight::brick_ranks; kDark: it does not emit
  float pdf_per_interval = 0.0f;  ///< m^-3, of points in a cell with a probability of 2^-32
  float length = 0.0f;            ///< m, see direction_pdf()
};

/// Points that emit in the media of a scene that have grids, on one device.
struct VolumeLight {
  /// Media of a scene that are looked at. Flights find what others emit.
  static constexpr uint32_t kMaxMedia = (1u << 20) - 2;

  /// [(brick, then z, y, x) + 1], in proportion to the power of each cell; empty: nothing emits.
  Span<const CdfEntry> cells = {};
  Span<const EmittingBrick> bricks = {};  ///< [brick that emits]
  Span<const uint32_t> brick_ranks = {};  ///< [brick of any grid], index in `bricks`, or kDark
  Span<const EmittingMedium> media = {};  ///< [medium]
  uint32_t log2_side = 0;                 ///< log2 of the cells along a side of a brick

  /// Returns the density of a point in a cell, m^-3; 0 if no sample is there. At least two cells
  /// emit.
  SIMT_HOST_DEVICE float pdf(const EmittingMedium& medium, uint32_t cell) const {
    return medium.pdf_per_interval * float(cells[cell + 1].begin - cells[cell].begin);
  }
};

/// A point of a medium.
struct VolumePoint {
  glm::vec3 p{0.0f};  ///< m
  uint32_t medium = 0;
  float pdf = 0.0f;  ///< m^-3; 0: there is no sample
};

/// Samples a point that may emit.
///
/// @param u  uniform, in units of 2^-32
/// @param v  three independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline VolumePoint sample_volume_light(const VolumeLight& light, uint32_t u,
                                                        glm::vec3 v) {
  const uint32_t cell = sample_cdf_table(light.cells, u).item, bits = light.log2_side;
  const uint32_t mask = (1u << bits) - 1u;
  const EmittingBrick brick = light.bricks[cell >> 3 * bits];
  const EmittingMedium& medium = light.media[brick.medium];
  const glm::vec3 place(glm::uvec3(cell & mask, cell >> bits & mask, cell >> 2 * bits & mask));
  const float side = float(GridBrick::kSide >> bits);
  const glm::vec3 p = glm::vec3(brick.low) + side * (place + v);
  return {medium.to_world * glm::vec4(p, 1.0f), brick.medium, light.pdf(medium, cell)};
}

/// Returns the density of a point in sample_volume_light(), m^-3.
///
/// @param medium  index of the medium at the point
/// @param grid    its grid
SIMT_HOST_DEVICE inline float volume_point_pdf(const VolumeLight& light, uint32_t medium,
                                               const PlacedGrid& grid, glm::vec3 point) {
  const EmittingMedium& emitting = light.media[medium];
  if (emitting.first_brick == EmittingMedium::kDark) return 0.0f;
  constexpr int kSide = int(GridBrick::kSide);
  const glm::ivec3 p(grid.to_grid * glm::vec4(point, 1.0f));
  const glm::ivec3 place = glm::clamp(p / kSide, glm::ivec3(0), grid.brick_counts - 1);
  const uint32_t brick = light.brick_ranks[emitting.first_brick + grid.brick_index(place)];
  if (brick == EmittingMedium::kDark) return 0.0f;
  const uint32_t bits = light.log2_side;
  const glm::uvec3 in_brick(glm::clamp(p - kSide * place, glm::ivec3(0), glm::ivec3(kSide - 1)));
  const glm::uvec3 cell = in_brick >> (3u - bits);
  return light.pdf(emitting, (((brick << bits | cell.z) << bits | cell.y) << bits) | cell.x);
}

/// Returns the density of the direction to a point, sr^-1, for MIS weights: that of the points
/// along the ray, as if it were constant over the length of a ray from which light comes. MIS is
/// unbiased with any such density that is a function of the point only.
///
/// @param point_pdf  m^-3, of the point
/// @param distance   m, to the point
SIMT_HOST_DEVICE inline float direction_pdf(const EmittingMedium& medium, float point_pdf,
                                            float distance) {
  return usable_pdf(point_pdf * medium.length * distance * distance);
}

/// What stages read of the grids of a scene. It is not part of DeviceScene, because only a few
/// stages of a few scenes read it.
struct MediumGrids {
  Span<const MediumGrid> media = {};  ///< [medium]; empty if all are homogeneous and none emits
  bool emit = false;                  ///< whether any emits
  VolumeLight light = {};             ///< empty if none that has a grid emits
};

/// The contents of VolumeLight in host memory, with the same names.
struct VolumeLightTable {
  std::vector<CdfEntry> cells;
  std::vector<EmittingBrick> bricks;
  std::vector<uint32_t> brick_ranks;
  std::vector<EmittingMedium> media;
  uint32_t log2_side = 0;
};

/// Finds the cells of all grids that emit. Takes time in proportion to the bricks that have values.
/// Cells are larger in large grids, up to a whole brick, so that there are at most about a quarter
/// of a million if possible.
VolumeLightTable build_volume_light(const HostScene& scene);

/// `upload` copies a vector to the device and returns its span there.
template <class Upload = InHostMemory>
VolumeLight make_volume_light(const VolumeLightTable& table, Upload upload = {}) {
  return {upload(table.cells), upload(table.bricks), upload(table.brick_ranks), upload(table.media),
          table.log2_side};
}

}  // namespace winnow
