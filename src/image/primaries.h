// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <optional>

namespace winnow {

/// Chromaticities of a colour space, CIE 1931 xy.
struct Primaries {
  glm::dvec2 red, green, blue, white;
};

inline constexpr Primaries kRec709{
    {0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}};  ///< ITU-R BT.709

/// Returns XYZ of a chromaticity with Y = 1.
inline glm::dvec3 xyz_of(glm::dvec2 xy) {
  return {xy.x / xy.y, 1.0, (1.0 - xy.x - xy.y) / xy.y};
}

/// Returns the matrix from linear colours to XYZ, where (1, 1, 1) has Y = 1.
inline glm::dmat3 to_xyz(const Primaries& space) {
  const auto column = [](glm::dvec2 xy) { return glm::dvec3(xy, 1.0 - xy.x - xy.y); };
  const glm::dmat3 columns(column(space.red), column(space.green), column(space.blue));
  const glm::dvec3 scale = glm::inverse(columns) * xyz_of(space.white);
  return {scale.x * columns[0], scale.y * columns[1], scale.z * columns[2]};
}

/// Returns the matrix that adapts XYZ from one white to another by the method of Bradford.
/// Lindbloom, "Chromatic Adaptation", brucelindbloom.com.
inline glm::dmat3 adaptation(glm::dvec2 from, glm::dvec2 to) {
  const glm::dmat3 cones(glm::dvec3(0.8951, -0.7502, 0.0389), glm::dvec3(0.2664, 1.7135, -0.0685),
                         glm::dvec3(-0.1614, 0.0367, 1.0296));
  const glm::dvec3 scale = cones * xyz_of(to) / (cones * xyz_of(from));
  const glm::dmat3 diagonal(scale.x, 0, 0, 0, scale.y, 0, 0, 0, scale.z);
  return glm::inverse(cones) * diagonal * cones;
}

/// Returns the matrix from linear colours of a space to linear Rec.709, adapted to its white:
/// (1, 1, 1) stays (1, 1, 1). Returns nothing if the primaries are not those of a space of colours.
inline std::optional<glm::mat3> to_rec709(const Primaries& space) {
  for (const glm::dvec2 xy : {space.red, space.green, space.blue, space.white})
    if (!(std::abs(xy.x) <= 10.0 && std::abs(xy.y) <= 10.0)) return {};
  const glm::dvec2 a = space.green - space.red, b = space.blue - space.red;
  constexpr double kMinArea = 1e-6;  // twice that of the triangle
  if (!(std::abs(a.x * b.y - a.y * b.x) >= kMinArea)) return {};
  const glm::dmat3 matrix =
      glm::inverse(to_xyz(kRec709)) * adaptation(space.white, kRec709.white) * to_xyz(space);
  for (int i = 0; i < 9; ++i)
    if (!std::isfinite(matrix[i / 3][i % 3])) return {};
  return glm::mat3(matrix);
}

}  // namespace winnow
