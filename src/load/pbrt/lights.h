// SPDX-License-Identifier: MIT
#pragma once

#include "image/image.h"
#include "load/pbrt/context.h"
#include "load/pbrt/materials.h"
#include "load/pbrt/textures.h"

namespace winnow {

/// Adds the light of a LightSource. A type that Winnow lacks becomes the most similar one or is
/// left out, with a warning.
void add_pbrt_light(const PbrtObject& light, const PbrtState& state, PbrtContext& context);

/// Adds the light of a LightSource of the type infinite: a constant or an image.
void add_pbrt_infinite_light(const PbrtObject& light, const PbrtState& state, PbrtContext& context);

/// Reads the emission of the shapes of an AreaLightSource.
/// @param area  area of the shape, m^2, for a light given by its power
PbrtEmission read_pbrt_emission(const PbrtObject& light, float area, PbrtTextures& textures,
                                PbrtContext& context);

/// Reads the colour of a light times its factors except that of its power.
glm::vec3 read_pbrt_light_color(const PbrtObject& light, std::string_view name,
                                PbrtContext& context);

/// Multiplies all light of a scene by a factor, such as the exposure of a sensor.
void scale_light(float factor, HostScene& scene);

/// Converts a square image in the equal-area octahedral mapping to an equirectangular image, whose
/// poles are +z and -z and whose columns start at +x and turn towards +y.
/// Clarberg, "Fast Equal-Area Mapping of the (Hemi)Sphere using SIMD", 2008.
Image equirectangular_of_equal_area(const Image& square);

}  // namespace winnow
