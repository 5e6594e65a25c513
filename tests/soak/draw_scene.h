// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>

#include "tests/support/draw.h"

namespace winnow {

/// Known property of a random scene.
enum class DrawnSceneKind {
  kAny,  ///< nothing
  /// A white furnace: all light comes from a sky of radiance 1, and no material reflects more than
  /// it receives, so no radiance is above 1. The scene has no shading normals, which do not
  /// conserve energy, and no boundaries of glass, inside which radiance is higher.
  kFurnace
};

/// File of a random scene.
struct DrawnScene {
  std::filesystem::path file;
  DrawnSceneKind kind = DrawnSceneKind::kAny;
};

/// Writes a random valid scene into a folder: scene.json, and the meshes and images that it names.
/// Scenes have materials of every type, textures, media, shapes of every type, instances with shear
/// and mirroring, lights of every type, any sky and any camera; lengths are 1 mm to 1 km, distances
/// from the origin up to 1,000 times that. Throws Error if a file cannot be written.
///
/// @param folder  must exist
DrawnScene draw_scene(const std::filesystem::path& folder, Draw& draw);

}  // namespace winnow
