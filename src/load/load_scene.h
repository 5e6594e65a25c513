// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "scene/host_scene.h"

namespace winnow {

/// The formats of load_scene(), for the help of commands.
inline constexpr const char* kSceneHelp =
    "scene: Winnow JSON (.json), glTF (.gltf, .glb),\nMitsuba XML (.xml), OBJ or PLY";

/// Reads a scene in the format of its extension: Winnow JSON (.json), Mitsuba XML (.xml), glTF
/// (.gltf or .glb), Wavefront OBJ (.obj) or PLY (.ply).
///
/// @param parameters  values of the parameters of a Mitsuba scene, by name
/// Throws Error, in one line, if the file
/// cannot be read or does not describe a scene.
HostScene load_scene(const std::filesystem::path& file,
                     const std::map<std::string, std::string>& parameters = {});

}  // namespace winnow
