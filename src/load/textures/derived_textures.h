// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "load/textures/texture_library.h"

namespace winnow {

/// What the numbers of a roughness are: the square root of alpha, or alpha of microfacets.
enum class RoughnessUnit { kRoughness, kAlpha };

/// A texture whose green and blue are `roughness` and `metallic` of the luminances of two textures.
/// Where these differ in their mapping, it has that of the first.
///
/// @param roughness, metallic  indices of textures; one of them may be kNoTexture, for 1 everywhere
uint32_t pack_roughness_metallic(uint32_t roughness, uint32_t metallic, RoughnessUnit unit,
                                 TextureLibrary& textures);

/// A texture of normals, not of unit length, that displacement by the heights of another one bends:
/// (-dh/du, -dh/dv, 1), by central differences, as red, green (against v) and blue around 0.5.
///
/// @param heights  index of a texture of luminances
/// @param stretch  of the slopes along u and v
uint32_t normals_of_heights(uint32_t heights, glm::vec2 stretch, TextureLibrary& textures);

}  // namespace winnow
