// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "load/mitsuba/object.h"
#include "load/textures/texture_library.h"
#include "scene/material.h"

namespace winnow {

/// A <bsdf> as Winnow has it.
struct MitsubaBsdf {
  Material material;
  uint32_t heights = kNoTexture;  ///< of a bump map, by its luminance
  float height_scale = 1.0f;      ///< m
};

/// Reads a <bsdf>, and those inside of it. One that Winnow lacks becomes the most similar material,
/// with a warning that says what differs.
///
/// @param depth  how many contain it
/// @return       nothing if light passes through the surface unchanged
std::optional<MitsubaBsdf> read_mitsuba_bsdf(const MitsubaObject& bsdf, int depth,
                                             TextureLibrary& textures);

/// True for a BSDF that modifies others inside of it.
bool is_mitsuba_wrapper(const std::string& type);

/// The BSDF inside such a one, modified.
std::optional<MitsubaBsdf> read_mitsuba_wrapper(const MitsubaObject& bsdf, int depth,
                                                TextureLibrary& textures);

}  // namespace winnow
