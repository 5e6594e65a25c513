// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/mat4x4.hpp>
#include <string>
#include <string_view>

#include "scene/volumes/sparse_values.h"

namespace winnow {

/// A grid of a NanoVDB file.
struct NvdbGrid {
  SparseValues values;             ///< negative ones are 0, vectors their means
  glm::dmat4 index_to_world{1.0};  ///< from the coordinates of values to the space of the file
  bool is_level_set = false;       ///< its values are distances
};

/// Reads the first grid of a name in a NanoVDB file: of numbers, vectors, and the quantised kinds.
/// Throws Error, in one line, if there is none, for a file that is broken or of another kind, and
/// if this build has no NanoVDB.
NvdbGrid read_nvdb(const std::filesystem::path& file, std::string_view name);

/// Returns whether a NanoVDB file has a grid of a name. Throws Error for a file of another kind.
bool has_nvdb_grid(const std::filesystem::path& file, std::string_view name);

/// Reads a grid of a NanoVDB file from its bytes; messages name `file`.
NvdbGrid parse_nvdb(std::string_view bytes, std::string_view name, const std::string& file);

}  // namespace winnow
