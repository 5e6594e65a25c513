// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// Writes a scene as binary glTF 2.0 with embedded PNG textures: triangles and instances, materials
/// as metallic-roughness with extensions, camera and delta lights. Emissive surfaces stay surfaces;
/// spheres become triangles. The format has no size, samples and filter of the film. Reading the
/// file gives a scene that looks the same if its materials are diffuse or principled.
///
/// @return  what glTF cannot represent, one line for each kind
/// Throws Error if the file cannot be written, or would exceed the 4 GiB of the format.
std::vector<std::string> write_glb(const std::filesystem::path& file, const HostScene& scene);

}  // namespace winnow
