#pragma once

#include <filesystem>

#include "scene/host_scene.h"
#include "scene/json_reader.h"

namespace winnow {

/// Reads "sky": a gradient, an environment map, or daylight.
///
/// @param folder  that file names are relative to
void read_sky(const JsonReader& json, const std::filesystem::path& folder, HostScene& scene);

}  // namespace winnow
