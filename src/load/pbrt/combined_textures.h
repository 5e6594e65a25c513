// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>

#include "load/pbrt/textures.h"

namespace winnow {

/// The colour of a texel from those of several textures.
using CombineColors = std::function<glm::vec3(std::span<const glm::vec3>)>;

/// A texture of what `combine` makes of the texels of others at the same places, as wide and as
/// high as the largest of their images.
///
/// @param values  some of them textures, the others the same colour everywhere
/// @return        nothing if the images lie differently on the surface, or are too large
std::optional<PbrtTextured> combine_textures(std::span<const PbrtTextured> values,
                                             const CombineColors& combine, TextureLibrary& library);

}  // namespace winnow
