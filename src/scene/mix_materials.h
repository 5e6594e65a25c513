// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "scene/material.h"

namespace winnow {

/// Returns a material that scatters one share of the light like `a` and the rest like `b`, or
/// nothing if Winnow has no such material. Two diffuse surfaces without textures give an exact
/// mixture. A diffuse surface and a metal give a principled surface, which is similar. Surfaces
/// with alpha cutouts or a normal map give nothing.
///
/// @param weight  share of `b`, [0, 1]
std::optional<Material> mix_materials(const Material& a, const Material& b, float weight);

}  // namespace winnow
