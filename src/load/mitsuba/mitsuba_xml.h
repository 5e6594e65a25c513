#pragma once

#include <filesystem>

#include "scene/host_scene.h"

namespace winnow {

/// Reads a scene in the XML format of Mitsuba, of the versions 0.5 to 3.
///
/// What Winnow lacks becomes the nearest thing that it has, or is left out; a warning says so, once
/// for each kind. scenes/README.md lists what is read.
/// Throws Error, in one line that names the file and the place in it.
HostScene load_mitsuba_xml(const std::filesystem::path& file);

}  // namespace winnow
