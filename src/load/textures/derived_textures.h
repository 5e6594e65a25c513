// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>

#include "load/textures/texture_library.h"

namespace winnow {

/// Meaning of a roughness value: the square root of the microfacets' alpha, or alpha itself.
enum class RoughnessUnit { kRoughness, kAlpha };

/// Returns a texture whose green and blue are roughness and metallic, from the luminances of two
/// textures. If their mappings differ, it has that of the first.
///
/// @param roughness, metallic  indices of textures; one may be kNoTexture, for 1 everywhere
uint32_t pack_roughness_metallic(uint32_t roughness, uint32_t metallic, RoughnessUnit unit,
                                 TextureLibrary& textures);

/// Returns a texture of the normals of a surface displaced by the heights of another texture:
/// (-dh/du, -dh/dv, 1) by central differences, not of unit length, as red, green (against v) and
/// blue around 0.5.
///
/// @param heights  index of a texture of luminances
/// @param stretch  factors of the slopes along u and v
uint32_t normals_of_heights(uint32_t heights, glm::vec2 stretch, TextureLibrary& textures);

}  // namespace winnow
