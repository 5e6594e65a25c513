// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "base/folder_watch.h"
#include "load/gltf/gltf.h"
#include "load/mitsuba/mitsuba_xml.h"
#include "scene/host_scene.h"

namespace winnow {

/// Formats of load_scene(), for the help of commands.
inline constexpr const char* kSceneHelp =
    "Scene: Winnow JSON (.json), glTF (.gltf, .glb), Mitsuba XML (.xml), pbrt (.pbrt), OBJ or PLY.";

/// Reads a scene in the format of its extension: Winnow JSON (.json), Mitsuba XML (.xml), pbrt
/// (.pbrt or .pbrt.gz), glTF (.gltf or .glb), Wavefront OBJ (.obj) or PLY (.ply).
/// @param parameters  parameters of a Mitsuba scene
/// @param time        time on the clock of the animations of a glTF file, or of the transforms of a
///                    pbrt scene, s, or from the opening (0) to the closing of the shutter (1) of
///                    Winnow JSON; other scenes have none and get a warning
/// @param outside     whether files outside of the folder of `file` may be read: if so, one warning
///                    covers all of them; if not, each is an Error, or for a texture a warning like
///                    that for a file that cannot be read
/// @param choice      variant and camera of a glTF file; other scenes have none
/// Throws Error, in one line, if the file cannot be read or does not describe a scene, and
/// UsageError for a parameter or a choice that it does not have.
HostScene load_scene(const std::filesystem::path& file, const MitsubaParameters& parameters = {},
                     std::optional<double> time = {}, OutsideFiles outside = OutsideFiles::kAllowed,
                     const GltfChoice& choice = {});

/// Adds a warning if anything but the camera moves in the file while its shutter is open: a render
/// of one moment does not blur it.
void warn_of_motion(HostScene& scene);

/// True for files that load_scene() reads, by their extension.
bool is_scene_file(const std::filesystem::path& file);

/// True for glTF files, by their extension.
bool is_gltf(const std::filesystem::path& file);

/// True for files whose scenes may move, by their extension: glTF, and those that state when their
/// shutter is open: pbrt and Winnow JSON.
bool has_animation(const std::filesystem::path& file);

/// True for files of a model rather than a scene, by their extension: glTF, OBJ and PLY do not
/// define how bright an image should be.
bool is_model(const std::filesystem::path& file);

}  // namespace winnow
