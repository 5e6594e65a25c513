// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/vec4.hpp>

#include "scene/texture_image.h"

namespace winnow {

/// Returns texel `index` of an image as linear numbers.
glm::vec4 linear_texel(const TextureImage& image, size_t index);

/// Returns the mean of all linear texels.
glm::vec4 mean_texel(const TextureImage& image);

/// Returns the normals of a surface with these heights, which repeat: red along u, green against v.
///
/// @param height  height of white above black, as a fraction of the longer side of the image
TextureImage normals_from_heights(const TextureImage& heights, float height);

}  // namespace winnow
