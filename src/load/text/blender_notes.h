// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace winnow {

struct Mesh;

// What readers of files of Blender say, in each format.

/// Returns the note of a file.
/// @param lacks  what the format, or Blender's exporter, has no place for
inline std::string blender_note(const std::string& file, const std::string& lacks) {
  return file + ": written by Blender, whose files of this type lack " + lacks +
         "; src/load/gltf/BLENDER.md says how they differ from Cycles";
}

inline constexpr float kGreyOfBlender = 0.8f;  ///< reflectance of meshes without a material

/// Roughness above which Blender's glass differs visibly.
inline constexpr float kRoughGlass = 0.35f;
inline constexpr const char* kRoughGlassNote =
    "rough glass keeps the energy of light; under an image as sky, Blender's gains up to 15 %";

/// Returns true if normals lean by more than 22 degrees from the planes of their triangles in at
/// least a fifth of the area that is not flat. There, renderers that bend normals away from
/// reflections into the surface differ from others by 2 % and more.
bool has_coarse_normals(const Mesh& mesh);

inline constexpr const char* kCoarseNormalsNote =
    "coarse smooth shading is up to 5 % darker than in Blender, whose Bump Map Correction bends "
    "normals that lean far from their triangles";

}  // namespace winnow
