// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_position.h"
#include "load/obj/parse_obj.h"

namespace winnow {

/// How many lines and vertices a part of an OBJ text has, or all parts before one.
struct ObjCounts {
  size_t lines = 0;
  size_t positions = 0, uvs = 0, normals = 0;

  ObjCounts& operator+=(const ObjCounts& other);
};

/// A part of an OBJ text that consists of whole statements.
struct ObjPart {
  /// As if the file had no other faces and materials; corners are already those of the whole file.
  ParsedObj parsed;
  /// The first faces, before any `s` or usemtl: the parts before this one define theirs.
  size_t inherited_group_count = 0, inherited_material_count = 0;
  std::optional<uint32_t> last_group, last_material;  ///< at the end, if the part has any
  int64_t highest_vertex = 0;                         ///< that a face names, from 1
  TextPosition highest_vertex_position;
};

/// Counts without reading numbers.
ObjCounts count_obj_part(std::string_view text, const std::string& file);

/// @param before  of all parts before this one
/// Throws Error "file:line:column: what is wrong, what was expected".
ObjPart parse_obj_part(std::string_view text, const std::string& file, const ObjCounts& before);

}  // namespace winnow
