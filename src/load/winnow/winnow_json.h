#pragma once

#include <filesystem>

#include "scene/host_scene.h"

namespace winnow {

/// Reads a scene in Winnow's own format, which scenes/README.md describes.
/// Throws Error, in one line that names the file and the place in it.
HostScene load_winnow_json(const std::filesystem::path& file);

}  // namespace winnow
