// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/limits.h"
#include "scene/host_scene.h"

namespace winnow {

/// Loads a glTF 2.0 scene, .gltf or .glb.
///
/// Meshes that are placed once become triangles of the scene; others become instances. Extensions
/// and features that Winnow lacks are ignored with a warning. A scene without a camera is framed;
/// one without a KHR_lights_punctual light gets a soft sky, even if materials emit. Broken
/// primitives, attributes, skins, textures, cameras, lights and animations, and indices of parts
/// that the file lacks, are left out with a warning. If anything else is broken, or no geometry is
/// left, throws Error in one line that names the file and the JSON pointer.
/// @param time  time in its animations, s; nothing for the rest pose
/// Khronos Group, "glTF 2.0 Specification", 2021.
HostScene load_gltf(const std::filesystem::path& file, std::optional<double> time = {});

/// Loads a glTF scene from the bytes of a file of this name.
/// @param most_placements  largest number of placements of all meshes
HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file,
                     std::optional<double> time = {}, size_t most_placements = kMaxPlacements);

}  // namespace winnow
