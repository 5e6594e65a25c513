// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "load/mitsuba/object.h"
#include "load/textures/texture_library.h"
#include "scene/material.h"

namespace winnow {

/// A <bsdf> converted to a material.
struct MitsubaBsdf {
  Material material;
  uint32_t heights = kNoTexture;  ///< texture of a bump map, whose luminance is the height
  float height_scale = 1.0f;      ///< m
};

/// Reads a <bsdf> and the <bsdf>s inside of it. One that Winnow lacks becomes the most similar
/// material, with a warning that says what differs.
///
/// @param depth  number of <bsdf>s that contain it
/// @return       nothing if light passes through the surface unchanged
std::optional<MitsubaBsdf> read_mitsuba_bsdf(const MitsubaObject& bsdf, int depth,
                                             TextureLibrary& textures);

/// True for a BSDF that modifies others inside of it.
bool is_mitsuba_wrapper(const std::string& type);

/// Reads the BSDF inside of one for which is_mitsuba_wrapper() is true, and modifies it.
std::optional<MitsubaBsdf> read_mitsuba_wrapper(const MitsubaObject& bsdf, int depth,
                                                TextureLibrary& textures);

}  // namespace winnow
