#pragma once

#include <filesystem>

#include "scene/host_scene.h"

namespace winnow {

/// What load_scene reads, for the help of a command.
inline constexpr const char* kSceneHelp =
    "scene: Winnow JSON (.json), glTF (.gltf, .glb),\nMitsuba XML (.xml), OBJ or PLY";

/// Reads a scene by its extension: Winnow JSON (.json), Mitsuba XML (.xml), Wavefront OBJ
/// (.obj) or PLY (.ply).
/// Throws Error, in one line, when the file cannot be read or does not describe a scene.
HostScene load_scene(const std::filesystem::path& file);

}  // namespace winnow
