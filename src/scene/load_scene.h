#pragma once

#include <filesystem>

#include "scene/host_scene.h"

namespace winnow {

/// Reads a scene by its extension: Winnow JSON (.json) or Wavefront OBJ (.obj).
/// Throws Error, in one line, when the file cannot be read or does not describe a scene.
HostScene load_scene(const std::filesystem::path& file);

}  // namespace winnow
