#pragma once

#include <glm/vec3.hpp>
#include <string_view>

#include "load/mitsuba/object.h"
#include "load/textures/texture_library.h"

namespace winnow {

/// A property that is a colour, or a texture of colours.
struct MitsubaTextured {
  glm::vec3 factor{1.0f};         ///< that the texture is multiplied by
  uint32_t texture = kNoTexture;  ///< of HostScene::textures
};

/// Reads <texture>s of the types bitmap and checkerboard, scaled or not, as textures, and all else
/// as read_mitsuba_reflectance does. A file that is missing is a warning, and `fallback`.
MitsubaTextured read_mitsuba_textured(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures);

/// The same for a radiance, which may be above 1.
MitsubaTextured read_mitsuba_radiance(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures);

/// The bitmap of `object` for what is no colour; kNoTexture where it is something else or missing.
uint32_t read_mitsuba_bitmap(const MitsubaObject& object, std::string_view name,
                             TexelMeaning meaning, TextureLibrary& textures);

}  // namespace winnow
