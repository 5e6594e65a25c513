// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <string_view>

#include "load/mitsuba/object.h"
#include "load/textures/texture_library.h"

namespace winnow {

// Properties that are colours, in linear Rec.709. No channel is below 0.

/// An <rgb>, <srgb>, <spectrum> or <float>, or a <texture>, which becomes its mean colour.
glm::vec3 read_mitsuba_color(const MitsubaObject& object, std::string_view name,
                             glm::vec3 fallback);

/// The same for a reflectance: it is clamped to 1, with a warning.
glm::vec3 read_mitsuba_reflectance(const MitsubaObject& object, std::string_view name,
                                   glm::vec3 fallback);

/// A colour, or a texture of colours.
struct MitsubaTextured {
  glm::vec3 factor{1.0f};         ///< of the texture, or the colour itself
  uint32_t texture = kNoTexture;  ///< index in HostScene::textures
};

using ReadMitsubaColor = glm::vec3(const MitsubaObject&, std::string_view, glm::vec3);

/// Reads a <texture> of the type bitmap or checkerboard, scaled or not, as a texture, and anything
/// else with `read_plain`. A missing file gives grey, with a warning.
MitsubaTextured read_mitsuba_textured(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures,
                                      ReadMitsubaColor read_plain = read_mitsuba_reflectance);

/// Index of a bitmap that does not hold colours; kNoTexture where it is missing, or where the
/// property is not a bitmap.
uint32_t read_mitsuba_bitmap(const MitsubaObject& object, std::string_view name,
                             TexelMeaning meaning, TextureLibrary& textures);

}  // namespace winnow
