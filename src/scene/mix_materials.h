// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "scene/material.h"

namespace winnow {

/// The material that scatters as `a` for one share of the light and as `b` for the other; nothing
/// if Winnow has none. That of two diffuse surfaces without textures is exact. That of a diffuse
/// surface and a metal is a principled one, which is similar. Surfaces with a coverage or a normal
/// map have none.
///
/// @param weight  [0, 1], share of `b`
std::optional<Material> mix_materials(const Material& a, const Material& b, float weight);

}  // namespace winnow
