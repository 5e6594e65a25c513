// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "base/folder_watch.h"
#include "load/mitsuba/parameters.h"
#include "scene/host_scene.h"

namespace winnow {

/// The formats of load_scene(), for the help of commands.
inline constexpr const char* kSceneHelp =
    "scene: Winnow JSON (.json), glTF (.gltf, .glb),\nMitsuba XML (.xml), pbrt (.pbrt), OBJ or PLY";

/// Reads a scene in the format of its extension: Winnow JSON (.json), Mitsuba XML (.xml), pbrt
/// (.pbrt or .pbrt.gz), glTF (.gltf or .glb), Wavefront OBJ (.obj) or PLY (.ply).
///
/// @param parameters  of a Mitsuba scene
/// @param time        s, a moment of the animations of a glTF; other scenes have none, which is a
///                    warning
/// @param outside     whether files may be read that are not in the folder of `file`, or below it:
///                    one warning for all of them, or an Error (of a texture, a warning as for one
///                    that cannot be read)
/// Throws Error, in one line, if the file cannot be read or does not describe a scene.
HostScene load_scene(const std::filesystem::path& file, const MitsubaParameters& parameters = {},
                     std::optional<double> time = {},
                     OutsideFiles outside = OutsideFiles::kAllowed);

/// True for files of a model rather than a scene, by their extension: glTF, OBJ and PLY do not say
/// how bright an image of them should be.
bool is_model(const std::filesystem::path& file);

}  // namespace winnow
