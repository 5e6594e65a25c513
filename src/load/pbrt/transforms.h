// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat4x4.hpp>
#include <map>
#include <string>

#include "load/pbrt/context.h"

namespace winnow {

/// Named coordinate systems: transforms to the world of the file.
using PbrtSystems = std::map<std::string, glm::dmat4>;

/// Changes the current transformation matrix by Translate, LookAt and similar statements. Has no
/// effect while only the end of the shutter is active.
///
/// @param systems  CoordinateSystem adds one, CoordSysTransform uses one
/// @return         false for any other statement
bool apply_pbrt_transform(const PbrtStatement& statement, PbrtState& state, PbrtSystems& systems);

}  // namespace winnow
