// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "scene/host_scene.h"

namespace winnow {

/// Reads a scene of pbrt, versions 3 and 4. scenes/README.md lists what is supported. Anything else
/// is approximated or left out, with a warning for each kind. A scene without a camera is framed;
/// one without a light gets a soft sky.
///
/// pbrt is left-handed: the world is mirrored unless the transform of the camera already mirrors
/// it. Images are not mirrored. Throws Error, in one line that names the file and the place in it.
///
/// @param time  moment that is shown of what moves, on the clock of the file, s; nothing: the
/// middle
///              of the time in which the shutter is open
///
/// Matt Pharr, Wenzel Jakob, Greg Humphreys, "Physically Based Rendering", 4th edition, 2023, and
/// "pbrt-v4 Input File Format".
HostScene load_pbrt(const std::filesystem::path& file, std::optional<double> time = {});

}  // namespace winnow
