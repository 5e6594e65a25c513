// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <map>
#include <utility>

#include "load/textures/texture_library.h"
#include "scene/material.h"

namespace winnow {

/// Meaning of a roughness value: the square root of the microfacets' alpha, or alpha itself.
enum class RoughnessUnit { kRoughness, kAlpha };

/// Returns a texture whose green and blue are roughness and metallic, from the luminances of two
/// textures. If their mappings differ, it has that of the first.
///
/// @param roughness, metallic  indices of textures; one may be kNoTexture, for 1 everywhere
uint32_t pack_roughness_metallic(uint32_t roughness, uint32_t metallic, RoughnessUnit unit,
                                 TextureLibrary& textures);

/// Normal maps that replace bump maps. Similar surfaces share them: there is one for each height
/// map and rounded ratio of its sides on the surface.
class BumpMaps {
 public:
  explicit BumpMaps(TextureLibrary& textures) : textures_(textures) {}

  /// Sets the normal map of `material` to that of a surface displaced by the luminance of a
  /// texture:
  /// (-dh/du, -dh/dv, 1) by central differences, not of unit length, as red, green (against v) and
  /// blue around 0.5.
  ///
  /// @param height   height of luminance 1, m
  /// @param uv_size  UvLayout::size of the surface, above 0
  void add(uint32_t heights, float height, glm::vec2 uv_size, Material& material);

 private:
  TextureLibrary& textures_;
  std::map<std::pair<uint32_t, float>, uint32_t> normals_;  ///< by height map and ratio
};

}  // namespace winnow
