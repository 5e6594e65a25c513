// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_position.h"
#include "load/obj/parse_obj.h"

namespace winnow {

/// Counts of lines and vertices in a part of an OBJ text, or in all parts before one.
struct ObjCounts {
  size_t lines = 0;
  size_t positions = 0, uvs = 0, normals = 0;

  ObjCounts& operator+=(const ObjCounts& other);
};

/// Parsed part of an OBJ text that consists of whole statements.
struct ObjPart {
  /// Faces and materials count from the start of the part; corners have indices of the whole file.
  ParsedObj parsed;
  /// Number of faces before the first `s` or usemtl: parts before this one define their group or
  /// material.
  size_t inherited_group_count = 0, inherited_material_count = 0;
  std::optional<uint32_t> last_group, last_material;  ///< at the end, if the part sets any
  int64_t highest_vertex = 0;                         ///< highest index from 1 in a face
  TextPosition highest_vertex_position;
};

/// Counts the lines and vertices of a part without reading numbers.
ObjCounts count_obj_part(std::string_view text, const std::string& file);

/// Parses a part.
/// @param before  counts of all parts before this one
/// Throws Error "file:line:column: what is wrong, what was expected".
ObjPart parse_obj_part(std::string_view text, const std::string& file, const ObjCounts& before);

}  // namespace winnow
