#pragma once

#include <glm/vec3.hpp>

namespace winnow {

// Curves that fit the light of a scene into what a display can show. Both take scene-linear Rec.709
// radiance, each channel in [0, 2^16], and give display-linear Rec.709, which may lie a little
// outside of [0, 1].

/// Stephen Hill's fit of the ACES reference rendering and sRGB output transforms: contrasty, and
/// bright colours go to white. Grey 0.18 becomes 0.106.
/// In BakingLab by Matt Pettineo and David Neubelt, ACES.hlsl, 2016.
glm::vec3 aces_curve(glm::vec3 radiance);

/// Troy Sobotka's AgX with its default contrast: 16.5 stops about grey 0.18, which becomes 0.218,
/// and hues that keep their place as they go to white.
/// Sobotka, github.com/sobotka/AgX, 2022, where the curve is Jed Smith's; that the inset is undone
/// in the end is by Wrensch, "Minimal AgX Implementation", 2023.
glm::vec3 agx_curve(glm::vec3 radiance);

}  // namespace winnow
