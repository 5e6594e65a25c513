// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "load/volumes/nvdb.h"
#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

/// A regular grid of values.
struct GridVolume {
  glm::uvec3 size{0};                            ///< samples along each axis
  uint32_t channels = 1;                         ///< 1 or 3
  std::vector<float> values;                     ///< [sample][channel], x is fastest
  Bounds box{glm::vec3(0.0f), glm::vec3(1.0f)};  ///< box in the header
};

/// Reads a Mitsuba .vol file of version 3, with values of 32-bit floats or bytes.
/// Throws Error, in one line, for a file that is broken or of another kind.
GridVolume read_vol(const std::filesystem::path& file);

/// Reads a .vol file from its bytes; messages name `file`.
GridVolume parse_vol(std::string_view bytes, const std::string& file);

/// Writes the samples of a grid as a .vol file of floats. Throws Error if it cannot be written.
void write_vol(const std::filesystem::path& file, const DensityGrid& grid);

/// Returns the mean of each channel; of a volume of one channel, three times the same. Throws Error
/// if a mean is negative or not finite.
glm::vec3 mean_of(const GridVolume& volume);

/// Adds a volume of one channel to the grids of a scene. Returns its index. Throws Error if a
/// density is negative or not finite.
uint32_t add_grid(HostScene& scene, const GridVolume& volume, GridBorder border);

/// Adds a sparse grid to those of a scene. Returns where it is in the space of the file. Throws
/// Error if its transform has no inverse, or its box is too large.
/// @param file, name  of the grid, for messages
GridPlacement add_sparse_grid(HostScene& scene, const SparseGrid& grid, const std::string& file,
                              std::string_view name, GridBorder border);

/// Adds the grid of a NanoVDB file as add_sparse_grid() does. Throws Error as NvdbFile::read()
/// does.
GridPlacement add_nvdb_grid(HostScene& scene, const NvdbFile& file, std::string_view name,
                            GridBorder border);

/// Makes a medium heterogeneous: the densities of a grid are factors of its coefficients.
void place_grid(HostScene& scene, uint32_t medium, const GridPlacement& placement);

}  // namespace winnow
