// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <glm/vec3.hpp>
#include <optional>
#include <span>
#include <string>

#include "load/pbrt/textures.h"

namespace winnow {

/// Function from the texels of several textures to a texel.
using CombineColors = std::function<glm::vec3(std::span<const glm::vec3>)>;

/// Returns a texture whose texels are `combine` of the texels of `values` at the same places. It is
/// as wide and as high as the largest of their images.
///
/// @param values  textures, or colours that are the same everywhere
/// @return        nothing if the textures have different mappings or are too large
std::optional<PbrtTextured> combine_textures(std::span<const PbrtTextured> values,
                                             const CombineColors& combine, TextureLibrary& library);

}  // namespace winnow
