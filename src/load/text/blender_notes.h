// SPDX-License-Identifier: MIT
#pragma once

namespace winnow {

// What readers of files of Blender warn of, in each format.

/// Roughness above which Blender's glass differs visibly.
inline constexpr float kRoughGlass = 0.35f;
inline constexpr const char* kRoughGlassNote =
    "rough glass keeps the energy of light; under an image as sky, Blender's gains up to 15 %";

inline constexpr const char* kSteepBumpsNote =
    "steep bumps are brighter than in Blender, where they shadow diffuse light";

}  // namespace winnow
