// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "scene/medium.h"

namespace winnow {

/// A measured medium by the name that pbrt has for it, such as "Marble"; coefficients per
/// millimetre.
std::optional<Medium> find_measured_medium(std::string_view name);

}  // namespace winnow
