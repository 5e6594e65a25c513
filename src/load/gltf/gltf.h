#pragma once

#include <filesystem>
#include <string_view>

#include "scene/host_scene.h"

namespace winnow {

/// Loads a scene of glTF 2.0, .gltf or .glb.
///
/// Meshes of one place join the scene's triangles, others become instances. What it does not know
/// is a warning. Without a camera the scene is framed, without light it stands under a soft sky.
/// Throws Error, in one line, where the file is broken.
HostScene load_gltf(const std::filesystem::path& file);

/// The same for the bytes of a file of this name.
HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file);

}  // namespace winnow
