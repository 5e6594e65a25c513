// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>

namespace winnow {

/// Scene-linear value that is shown as middle grey.
inline constexpr double kMiddleGrey = 0.18;

/// Nodes of the table of AgX along each axis.
inline constexpr uint32_t kAgxSize = 57;

/// Returns the table of AgX, [red][green][blue], encoded with a gamma of 2.4. The axes are the
/// channels of FilmLight's E-Gamut in stops, from 2^-12.47393 to 2^12.52607.
std::span<const glm::vec3> agx_table();

/// Applies Blender's view transform AgX (4.0 and newer) without a look: scene-linear Rec.709
/// radiance, each channel in [0, 2^16], to display-linear Rec.709 in [0, 1]. It interpolates
/// agx_table() in tetrahedra as Blender does; Blender's values on an sRGB display are reproduced to
/// a hundredth of 1/255. Grey 0.18 stays 0.18.
glm::vec3 agx_curve(glm::vec3 radiance);

}  // namespace winnow
