// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "load/obj/known_statements.h"

namespace winnow {

/// Statements of an OBJ file. Indices count from 0.
struct ParsedObj {
  static constexpr uint32_t kNoIndex = ~0u;

  struct Corner {
    uint32_t position;  ///< [0, positions.size())
    uint32_t normal;    ///< kNoIndex if there is none; may be beyond the end of `normals`
    uint32_t uv;        ///< kNoIndex if there is none; may be beyond the end of `uvs`
  };
  struct Face {
    size_t end;         ///< end of its corners, which start at the end of the previous face
    uint32_t group;     ///< smoothing group; 0 is flat
    uint32_t material;  ///< index in `material_names`; kNoIndex before the first usemtl
  };

  std::vector<glm::vec3> positions;
  std::vector<uint8_t> is_unusable;         ///< [position], 1 if it is not finite or too far away
  std::vector<glm::vec3> colors;            ///< [position], white by default; empty if unused
  std::vector<glm::vec3> normals;           ///< zero if a number is not finite
  std::vector<glm::vec2> uvs;               ///< v is up; missing and unusable numbers are 0
  std::vector<Corner> corners;              ///< corners of all faces
  std::vector<Face> faces;                  ///< each has at least 3 corners
  std::vector<std::string> material_names;  ///< names of usemtl statements, without duplicates
  std::vector<std::string> libraries;       ///< arguments of the mtllib statements
  size_t unusable_position_count = 0;
  size_t point_and_line_count = 0;
  IgnoredStatements ignored;
};

/// Name of a material whose name is empty: `newmtl` and `usemtl` without a word.
inline constexpr std::string_view kUnnamedMaterial = "(unnamed)";

inline constexpr size_t kObjPartBytes = size_t{1} << 20;

/// Parses an OBJ text on all threads, in parts of about `part_bytes` that end between statements.
/// The result does not depend on the parts: a first pass counts the vertices of each, so that the
/// second pass can resolve indices that count backwards.
/// Throws Error "file:line:column: what is wrong, what was expected" about the first mistake.
ParsedObj parse_obj(std::string_view text, const std::string& file,
                    size_t part_bytes = kObjPartBytes);

}  // namespace winnow
