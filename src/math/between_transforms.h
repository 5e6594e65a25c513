// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>

namespace winnow {

/// Returns a transform between two affine ones: translation, rotation and scale are interpolated by
/// themselves, the rotation the short way. Without an inverse of one of them, there is nothing
/// between them: returns `from` at 0, otherwise `to`.
/// Shoemake & Duff, "Matrix Animation and Polar Decomposition", 1992.
/// @param t  [0, 1]
glm::dmat4 between_transforms(const glm::dmat4& from, const glm::dmat4& to, double t);

/// Returns whether the short way from one transform to another is not defined: one turns by half a
/// circle against the other, or mirrors, or one has no inverse.
bool is_ambiguous_motion(const glm::dmat4& from, const glm::dmat4& to);

}  // namespace winnow
