// SPDX-License-Identifier: MIT
#pragma once

#include "scene/material.h"

namespace winnow {

// A difference to Cycles that readers of Blender's files report.

/// Cycles multiplies the single scattering of Multiscatter GGX, so that the highlight is brighter.
/// Here, repeated scattering is a diffuse lobe; see principled.h. The energy is the same.
inline constexpr const char* kWiderMetalHighlights =
    "under light from one direction, a rough metal has a highlight up to 8 % darker, and is up to "
    "18 % brighter beside it, than in Blender";

/// Returns whether kWiderMetalHighlights applies: whether a metal scatters repeatedly.
inline bool has_wider_metal_highlight(const Material& material) {
  constexpr float kSmooth = 0.2f;  // loses less than 1 % by single scattering
  return material.type == MaterialType::kPrincipled && material.metallic > 0.0f &&
         material.roughness > kSmooth;
}

}  // namespace winnow
