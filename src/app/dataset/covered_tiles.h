// SPDX-License-Identifier: MIT
#pragma once

#include "app/dataset/data_camera.h"
#include "film/film_tiles.h"

namespace winnow {

/// Returns the tiles of a view where a camera ray may hit something: those that the projection of a
/// triangle touches, or that of a box around a sphere or an instance. Pixels of all other tiles
/// show the background alone, so that a picture with alpha needs no samples of them.
///
/// All tiles are returned if a part of the scene is not in front of the camera, if rounding moves
/// camera rays by more than half a pixel, or if there are media, in which paths may scatter before
/// they hit a surface.
///
/// @param placement  of the scene in the space of the camera
/// @param size       of the picture, as the camera's intrinsics expect it
FilmTiles covered_tiles(const HostScene& scene, const DataCamera& camera,
                        const Placement& placement, Size size);

}  // namespace winnow
