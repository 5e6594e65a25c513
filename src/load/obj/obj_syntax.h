#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

/// An OBJ text after a first pass that checks what tinyobjloader takes on trust.
struct ObjSyntax {
  std::string text;  ///< only v, vn, f, s, usemtl; indices absolute and without texture vertices
  std::vector<uint32_t> face_sizes;      ///< [face], corners
  std::vector<bool> unusable_positions;  ///< [position], true where it is not finite or too far
  std::vector<std::string> libraries;    ///< what follows each `mtllib`
  std::set<std::string> material_names;  ///< what follows each `usemtl`, its blanks hidden
  size_t unusable_position_count = 0;
  size_t point_and_line_count = 0;
  size_t unknown_count = 0;  ///< statements that are not of the format
};

/// Checks that numbers are numbers and that faces name vertices that exist.
/// Throws Error "file:line:column: what is wrong, what was expected".
ObjSyntax check_obj_syntax(std::string_view text, const std::string& file);

}  // namespace winnow
