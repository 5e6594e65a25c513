// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// The first camera of a glTF file at several moments of its animations, as parse_gltf() places it:
/// the translations, rotations and scales of its node and of the nodes above it are animated.
///
/// @param times  [frame], s, each clamped to the range of the channels
/// @param like   gives what glTF cameras lack, such as the lens
/// @return       [frame]
/// Throws Error, which names the file, if it has no camera or no animation.
std::vector<CameraDescription> load_gltf_cameras(const std::filesystem::path& file,
                                                 const std::vector<double>& times,
                                                 const CameraDescription& like);

}  // namespace winnow
