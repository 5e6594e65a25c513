// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x3.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "base/names.h"

namespace winnow {

/// What is beside the outermost samples of a grid. It is clear farther outside.
enum class GridBorder : uint32_t {
  kFade,    ///< interpolates to 0 at the place of the next sample
  kClamp,   ///< each outermost sample continues for half a cell, to the face of the box
  kCut,     ///< as kFade, but only up to the face of the box
  kRepeat,  ///< interpolates to the sample at the other end, up to the face of the box
};
template <>
inline constexpr std::array<const char*, 4> kEnumNames<GridBorder> = {"fade", "clamp", "cut",
                                                                      "repeat"};

/// 8^3 cells of a grid. Trilinear interpolation within them needs 9^3 values.
struct GridBrick {
  static constexpr uint32_t kSide = 8, kValuesPerSide = kSide + 1;
  static constexpr uint32_t kValues = kValuesPerSide * kValuesPerSide * kValuesPerSide;

  uint32_t stored = 0;       ///< index of its values, which it may share, in DensityGrid::values
  float max_density = 0.0f;  ///< largest value; 0: it is clear and has no values

  bool operator==(const GridBrick&) const = default;
};

/// Densities at regular places in a box, as factors of the coefficients of a medium.
///
/// The grid is extended by one value on each side, which depends on the border, and divided into
/// bricks. Bricks of zeros are not stored, and equal ones are stored once. Neighbours both store
/// the values between them, so that a lookup reads one brick only, and the largest value of a brick
/// bounds all densities in it.
///
/// In grid space, the value v is at the coordinate v, and sample i of an axis is the value i + 1.
struct DensityGrid {
  glm::uvec3 size{0};  ///< samples along each axis
  GridBorder border = GridBorder::kFade;
  glm::uvec3 brick_counts{0};     ///< along each axis
  std::vector<GridBrick> bricks;  ///< [brick], x is fastest
  std::vector<float> values;      ///< [stored brick][GridBrick::kValues], x is fastest

  /// Returns the sample at a place from (0, 0, 0) to size - 1.
  float sample(glm::uvec3 place) const;
  bool operator==(const DensityGrid&) const = default;
};

/// @param samples  size.x * size.y * size.z finite densities, not negative; x is fastest
DensityGrid make_density_grid(glm::uvec3 size, std::span<const float> samples, GridBorder border);

/// Returns the bytes of a grid in memory.
uint64_t grid_bytes(const DensityGrid& grid);

/// The grid of a medium. Its box is the unit cube, in the space of `to_world`.
struct GridPlacement {
  uint32_t grid = kNone;
  glm::mat4x3 to_world{1.0f};  ///< m; has an inverse

  static constexpr uint32_t kNone = ~0u;  ///< the medium is homogeneous
  bool operator==(const GridPlacement&) const = default;
};

/// Factors of the scattering coefficient of a medium, from 0 to 1. The light that they take away is
/// absorbed; they change neither the extinction nor what the medium emits.
struct ScatteringFactors {
  uint32_t medium = 0;
  std::array<GridPlacement, 3> channels;  ///< beyond its box, a grid continues as at its faces

  bool operator==(const ScatteringFactors&) const = default;
};

}  // namespace winnow
