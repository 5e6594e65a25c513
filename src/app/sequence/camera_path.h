// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// A camera at a moment of a path.
struct CameraKey {
  double time = 0.0;  ///< s
  CameraDescription camera;
};

/// Reads the key frames of --camera-path, JSON: {"keys": [{"time": 0, "position": [0, 1, 5],
/// "look_at": [0, 1, 0]}, ...]}. Further members of a key are "direction" in place of "look_at",
/// "up", "vertical_fov", "view_height", "lens_radius" and "focus_distance", as in scenes. A key
/// takes missing members from the key before it, and the first one from `start`.
///
/// Returns at least one key, in ascending order of times. Throws Error that names the file and the
/// place.
std::vector<CameraKey> load_camera_path(const std::filesystem::path& file,
                                        const CameraDescription& start);

/// Parses the text of such a file.
std::vector<CameraKey> parse_camera_path(std::string_view text, const std::string& file,
                                         const CameraDescription& start);

/// Returns the camera at a moment, clamped to the times of the keys: a Catmull-Rom spline through
/// all values of the keys, whose knots are their times. Its velocity at a key is that of the
/// parabola through the key and its neighbours, and at the ends that of the straight line to the
/// neighbour, so that the path has no corner however unequal the times are. Catmull & Rom, "A Class
/// of Local Interpolating Splines", 1974; Barry & Goldman, "A Recursive Evaluation Algorithm for a
/// Class of Catmull-Rom Splines", 1988.
CameraDescription camera_at(const std::vector<CameraKey>& keys, double time);

}  // namespace winnow
