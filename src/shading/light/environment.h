// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/cdf_table.h"
#include "math/rounded.h"
#include "math/sampling.h"
#include "scene/host_scene.h"

namespace winnow {

// An environment map interpolates bilinearly between the centers of its texels. It is sampled in
// cells from center to center: one uniform chooses a row of cells, the other a cell of that row,
// and what is left of both chooses a point in the cell by a bilinear density. Each of these maps is
// monotonic, so that evenly distributed uniforms give evenly distributed directions. Cells at the
// poles, above the first and below the last row of centers, are half as high and constant
// vertically. At the corners of a cell the density is luminance times the sine of the polar angle,
// the Jacobian of solid angle. So it is proportional to radiance up to the difference between a
// sine and its linear interpolation. Luminance up to `floor` does not count: where BSDF sampling
// finds the light that all directions share, it need not be sampled.
//
// Karlík et al., "MIS Compensation: Optimizing Sampling Techniques in Multiple Importance
// Sampling", SIGGRAPH Asia 2019.

/// An environment map on one device. Built by make_environment().
struct Environment {
  simt::Span<const glm::vec3> texels = {};  ///< [height][width], W sr^-1 m^-2; empty: no map
  simt::Span<const CdfEntry> rows = {};     ///< [height + 2], table of the height + 1 rows of cells
  simt::Span<const CdfEntry> columns = {};  ///< [height + 1][width + 1], tables of each row's cells
  /// [height + 2], sine of the polar angle at the edges of rows of cells
  simt::Span<const float> edge_sines = {};
  uint32_t width = 0, height = 0;  ///< texels
  glm::mat3 to_map{1.0f};          ///< from world space; a rotation, maybe with a reflection
  float scale = 1.0f;              ///< factor of the texels' radiance
  float floor = 0.0f;              ///< luminance of texels that adds nothing to the density
  float total = 0.0f;              ///< integral over both angles of the density, unnormalized
};

struct EnvironmentLookup {
  glm::vec3 radiance{0.0f};  ///< W sr^-1 m^-2
  float pdf = 0.0f;          ///< sr^-1
};

struct EnvironmentCell {
  glm::vec3 upper_left, upper_right, lower_left, lower_right;  ///< texels at its corners
  float upper_sine, lower_sine;                                ///< Environment::edge_sines
};

/// The unnormalized density at the corners of a cell.
struct CellWeights {
  float upper_left, upper_right, lower_left, lower_right;

  SIMT_HOST_DEVICE float sum() const {
    return (upper_left + upper_right) + (lower_left + lower_right);
  }
};

/// @param row     [0, height]
/// @param column  [0, width)
SIMT_HOST_DEVICE inline EnvironmentCell environment_cell(const Environment& map, uint32_t row,
                                                         uint32_t column) {
  const uint32_t upper = row > 0 ? row - 1 : 0, lower = row < map.height ? row : map.height - 1;
  const uint32_t right = column + 1 < map.width ? column + 1 : 0;
  const size_t upper_row = size_t(upper) * map.width, lower_row = size_t(lower) * map.width;
  return {
      map.texels[upper_row + column], map.texels[upper_row + right], map.texels[lower_row + column],
      map.texels[lower_row + right],  map.edge_sines[row],           map.edge_sines[row + 1]};
}

/// @param floor  see Environment
SIMT_HOST_DEVICE inline CellWeights cell_weights(const EnvironmentCell& cell, float floor) {
  const auto above = [floor](glm::vec3 texel) { return larger(luminance(texel) - floor, 0.0f); };
  return {above(cell.upper_left) * cell.upper_sine, above(cell.upper_right) * cell.upper_sine,
          above(cell.lower_left) * cell.lower_sine, above(cell.lower_right) * cell.lower_sine};
}

/// Returns the upper edge of a row of cells, in rows of texels.
SIMT_HOST_DEVICE inline float cell_top(uint32_t row) {
  return row > 0 ? float(row) - 0.5f : 0.0f;
}
SIMT_HOST_DEVICE inline float cell_bottom(const Environment& map, uint32_t row) {
  return row < map.height ? float(row) + 0.5f : float(map.height);
}

struct EnvironmentPoint {
  uint32_t row, column;  ///< cell that contains the point
  float across, down;    ///< [0, 1], position in the cell
  float sine;            ///< sine of the polar angle
};

/// Returns the radiance at a point, and its density in sample_environment().
SIMT_HOST_DEVICE inline EnvironmentLookup look_up_cell(const Environment& map,
                                                       const EnvironmentCell& cell,
                                                       const EnvironmentPoint& point) {
  const glm::vec3 upper = glm::mix(cell.upper_left, cell.upper_right, point.across);
  const glm::vec3 lower = glm::mix(cell.lower_left, cell.lower_right, point.across);
  EnvironmentLookup found{.radiance = map.scale * glm::mix(upper, lower, point.down)};
  const CellWeights weights = cell_weights(cell, map.floor);
  const float weight =
      glm::mix(glm::mix(weights.upper_left, weights.upper_right, point.across),
               glm::mix(weights.lower_left, weights.lower_right, point.across), point.down);
  if (point.sine > 0.0f && map.total > 0.0f) found.pdf = weight / (point.sine * map.total);
  return found;
}

/// Returns the point in direction `w`, of unit length.
SIMT_HOST_DEVICE inline EnvironmentPoint environment_point(const Environment& map, glm::vec3 w) {
  const glm::vec3 local = map.to_map * w;
  const float sine = std::sqrt(local.x * local.x + local.z * local.z);
  const float u = turns_of({-local.z, local.x}), v = 2.0f * turns_of({local.y, sine});

  const float x = u * float(map.width) - 0.5f, y = v * float(map.height);
  const float left = std::floor(x), above = std::floor(y - 0.5f);
  const auto column =
      int32_t(left) < 0 ? uint32_t(int32_t(left) + int32_t(map.width)) : uint32_t(int32_t(left));
  const uint32_t row = glm::min(uint32_t(int32_t(above) + 1), map.height);
  const float top = cell_top(row), bottom = cell_bottom(map, row);
  return {.row = row,
          .column = glm::min(column, map.width - 1),
          .across = x - left,
          .down = glm::clamp((y - top) / (bottom - top), 0.0f, 1.0f),
          .sine = sine};
}

/// Returns the radiance from unit direction `w`, and its density in sample_environment().
SIMT_HOST_DEVICE inline EnvironmentLookup look_up_environment(const Environment& map, glm::vec3 w) {
  const EnvironmentPoint point = environment_point(map, w);
  return look_up_cell(map, environment_cell(map, point.row, point.column), point);
}

/// A direction and what look_up_environment() finds there, up to rounding.
struct EnvironmentSample {
  glm::vec3 w{0.0f};  ///< unit length, if there is a sample
  EnvironmentLookup found;
};

SIMT_HOST_DEVICE inline simt::Span<const CdfEntry> columns_of(const Environment& map,
                                                              uint32_t row) {
  const size_t entries = size_t(map.width) + 1;
  return map.columns.subspan(row * entries, entries);
}

struct ChosenCell {
  uint32_t row = 0, column = 0;
  glm::vec2 rest{0.0f};  ///< remainder of the uniforms after the choice, uniform in [0, 1)
};

/// Chooses a cell by its mean luminance.
///
/// @param u  two independent uniforms, in units of 2^-32
SIMT_HOST_DEVICE inline ChosenCell choose_cell(const Environment& map, glm::uvec2 u) {
  const CdfSample row = sample_cdf_table(map.rows, u.y);
  const CdfSample column = sample_cdf_table(columns_of(map, row.item), u.x);
  return {row.item, column.item, {column.rest, row.rest}};
}

/// Samples a direction in a cell by luminance; the pdf is 0 if the cell is black.
SIMT_HOST_DEVICE inline EnvironmentSample sample_cell(const Environment& map,
                                                      const EnvironmentCell& cell,
                                                      const ChosenCell& chosen) {
  const CellWeights weights = cell_weights(cell, map.floor);
  const float y = sample_linear(chosen.rest.y, weights.upper_left + weights.upper_right,
                                weights.lower_left + weights.lower_right);
  const float x = sample_linear(chosen.rest.x, glm::mix(weights.upper_left, weights.lower_left, y),
                                glm::mix(weights.upper_right, weights.lower_right, y));
  const float top = cell_top(chosen.row), bottom = cell_bottom(map, chosen.row);
  const glm::vec2 down = unit_circle(0.5f * (top + y * (bottom - top)) / float(map.height));
  const glm::vec2 around = unit_circle((float(chosen.column) + 0.5f + x) / float(map.width));
  const glm::vec3 local{down.y * around.y, down.x, -down.y * around.x};
  EnvironmentSample sample;
  sample.w = glm::normalize(local * map.to_map);  // times the transpose, which is the inverse
  sample.found = look_up_cell(map, cell, {chosen.row, chosen.column, x, y, down.y});
  if (!(weights.sum() > 0.0f)) sample.found.pdf = 0.0f;
  return sample;
}

/// Samples a direction by luminance; the pdf is 0 if it is in a black cell.
///
/// @param u  two independent uniforms, in units of 2^-32
SIMT_HOST_DEVICE inline EnvironmentSample sample_environment(const Environment& map, glm::uvec2 u) {
  const ChosenCell chosen = choose_cell(map, u);
  return sample_cell(map, environment_cell(map, chosen.row, chosen.column), chosen);
}

/// Inverts sample_environment(): returns the uniforms of a point, in units of 2^-32.
///
/// @param cell  environment_cell() that contains the point
SIMT_HOST_DEVICE inline glm::uvec2 invert_environment(const Environment& map,
                                                      const EnvironmentCell& cell,
                                                      const EnvironmentPoint& point) {
  const CellWeights weights = cell_weights(cell, map.floor);
  const float y = invert_linear(point.down, weights.upper_left + weights.upper_right,
                                weights.lower_left + weights.lower_right);
  const float x =
      invert_linear(point.across, glm::mix(weights.upper_left, weights.lower_left, point.down),
                    glm::mix(weights.upper_right, weights.lower_right, point.down));
  return {invert_cdf_table(columns_of(map, point.row), {point.column, x}),
          invert_cdf_table(map.rows, {point.row, y})};
}

/// The sampling tables of an environment map in host memory, with the names of Environment.
struct EnvironmentTable {
  std::vector<CdfEntry> rows;     ///< [height + 2]
  std::vector<CdfEntry> columns;  ///< [height + 1][width + 1]
  std::vector<float> edge_sines;  ///< [height + 2]
  double total = 0.0;             ///< see Environment::total
  float floor = 0.0f;
};

/// Builds the sampling tables of a map; empty if it has no texels, or none above `floor`. Takes
/// O(texels).
///
/// @param floor  see Environment
EnvironmentTable build_environment_table(const EnvironmentMap& map, float floor = 0.0f);

/// Builds the device's description of a map. For `upload` see make_lights().
template <class Upload>
Environment make_environment(const EnvironmentMap& map, const EnvironmentTable& table,
                             Upload upload) {
  if (table.rows.empty()) return {};
  return {.texels = upload(map.image.pixels),
          .rows = upload(table.rows),
          .columns = upload(table.columns),
          .edge_sines = upload(table.edge_sines),
          .width = map.image.width,
          .height = map.image.height,
          .to_map = glm::transpose(map.to_world),
          .scale = map.scale,
          .floor = table.floor,
          .total = float(table.total)};
}

}  // namespace winnow
