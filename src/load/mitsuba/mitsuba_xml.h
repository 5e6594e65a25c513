// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "scene/host_scene.h"

namespace winnow {

/// Values of the parameters of a Mitsuba scene by name, from <default> and -D.
using MitsubaParameters = std::map<std::string, std::string>;

/// Reads a scene in the XML format of Mitsuba, versions 0.5 to 3. scenes/README.md lists what is
/// supported. Anything else is approximated or ignored, with a warning for each kind:
///
///   surfaces   roughdiffuse, phong and ward become diffuse; principled becomes Winnow's; a coating
///              becomes the surface inside, and most blends become their heavier part
///   textures   other types than bitmap and checkerboard become their mean colour
///   sky, sun   become daylight of Preetham's model
///
/// @param parameters  values that override the <default>s of the scene
/// Throws Error, in one line that names the file and the place in it.
HostScene load_mitsuba_xml(const std::filesystem::path& file,
                           const MitsubaParameters& parameters = {});

}  // namespace winnow
