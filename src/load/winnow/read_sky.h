#pragma once

#include <filesystem>

#include "load/json/json_reader.h"
#include "scene/host_scene.h"

namespace winnow {

/// Reads "sky": a gradient, an environment map, or daylight.
///
/// @param folder  that file names are relative to
void read_sky(const JsonReader& json, const std::filesystem::path& folder, HostScene& scene);

}  // namespace winnow
