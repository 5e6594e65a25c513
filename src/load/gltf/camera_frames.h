// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// Returns the first camera of a glTF file at several times of its animations, as parse_gltf()
/// places it: translation, rotation and scale of its node and of the nodes above it are animated.
///
/// @param times  [frame], s, each clamped to the range of the channels
/// @param like   camera with the properties that glTF cameras lack, such as the lens
/// @return       [frame]
/// Throws Error, which names the file, if it has no camera or no animation.
std::vector<CameraDescription> load_gltf_cameras(const std::filesystem::path& file,
                                                 const std::vector<double>& times,
                                                 const CameraDescription& like);

}  // namespace winnow
