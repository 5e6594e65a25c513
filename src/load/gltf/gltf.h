// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/limits.h"
#include "scene/host_scene.h"

namespace winnow {

/// Loads a scene of glTF 2.0, .gltf or .glb.
///
/// Meshes that are placed once become triangles of the scene, all others instances. Extensions and
/// features that Winnow lacks are ignored with a warning. Without a camera the scene is framed, and
/// without a punctual light it stands under a soft sky, whatever glows in it.
/// Primitives, attributes, skins, textures, cameras, lights and animations that are broken, and
/// indices of parts that the file lacks, are left out with a warning. Where anything else is
/// broken, or nothing is left to see, throws Error in one line that names the file and the JSON
/// pointer.
/// @param time  s, a moment of its animations; without one the scene is in its rest pose
/// Khronos Group, "glTF 2.0 Specification", 2021.
HostScene load_gltf(const std::filesystem::path& file, std::optional<double> time = {});

/// The same for the bytes of a file of this name.
/// @param most_placements  of all meshes together
HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file,
                     std::optional<double> time = {}, size_t most_placements = kMaxPlacements);

}  // namespace winnow
