// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace winnow {

/// The statements of an OBJ file. Indices count from 0.
struct ParsedObj {
  static constexpr uint32_t kNoIndex = ~0u;

  struct Corner {
    uint32_t position;  ///< in [0, positions.size())
    uint32_t normal;    ///< kNoIndex where the file gives none; may be beyond `normals`
    uint32_t uv;        ///< likewise
  };
  struct Face {
    size_t end;         ///< of its corners, which start at the end of the previous face
    uint32_t group;     ///< smoothing group; 0 is flat
    uint32_t material;  ///< in `material_names`; kNoIndex before the first usemtl
  };

  std::vector<glm::vec3> positions;
  std::vector<uint8_t> is_unusable;         ///< [position], 1 if not finite or too far away
  std::vector<glm::vec3> colors;            ///< [position], white without any; empty if all are
  std::vector<glm::vec3> normals;           ///< zero where one is not finite
  std::vector<glm::vec2> uvs;               ///< v is up; 0 where a number is missing or not finite
  std::vector<Corner> corners;              ///< of all faces
  std::vector<Face> faces;                  ///< each has at least 3 corners
  std::vector<std::string> material_names;  ///< of each usemtl, no name twice
  std::vector<std::string> libraries;       ///< of each mtllib, the rest of its line
  size_t unusable_position_count = 0;
  size_t point_and_line_count = 0;
  size_t unknown_count = 0;  ///< statements that OBJ does not define
};

/// Stands for a material whose name is empty: `newmtl` and `usemtl` without a word.
inline constexpr std::string_view kUnnamedMaterial = "(unnamed)";

inline constexpr size_t kObjPartBytes = size_t{1} << 20;

/// Parses an OBJ text on all threads, in parts of about `part_bytes` that end between statements.
/// The result does not depend on the parts: those of a first pass count the vertices, so that
/// indices that count backwards are known in each part of the second one.
/// Throws Error "file:line:column: what is wrong, what was expected" about the first mistake.
ParsedObj parse_obj(std::string_view text, const std::string& file,
                    size_t part_bytes = kObjPartBytes);

}  // namespace winnow
