// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "scene/medium.h"

namespace winnow {

/// Returns a measured medium by its name in pbrt, such as "Marble"; coefficients in mm^-1.
std::optional<Medium> find_measured_medium(std::string_view name);

}  // namespace winnow
