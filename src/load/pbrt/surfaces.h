// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "load/pbrt/context.h"
#include "load/pbrt/textures.h"
#include "scene/material.h"

namespace winnow {

/// How a roughness of pbrt becomes the alpha of microfacets.
enum class PbrtRoughness {
  kVersion4,  ///< its square root
  kVersion3,  ///< a polynomial of its logarithm
};

/// A material of pbrt that contains no other, as the most similar one of Winnow. What differs is
/// said by warnings.
/// @return  nothing if the type is unknown
std::optional<Material> read_pbrt_surface(const PbrtObject& object, PbrtTextures& textures,
                                          PbrtContext& context);

/// The same for the types that only version 3 has: matte, plastic, uber, ...
std::optional<Material> read_old_pbrt_surface(const PbrtObject& object, PbrtTextures& textures,
                                              PbrtContext& context);

/// Sets the reflectance of a material to a parameter, a colour or a texture.
void read_pbrt_base_color(const PbrtObject& object, std::string_view name, float fallback,
                          PbrtTextures& textures, PbrtContext& context, Material& material);

/// Sets the roughness and the anisotropy of a material from "roughness", or "uroughness" and
/// "vroughness", after a prefix.
void read_pbrt_roughness(const PbrtObject& object, const std::string& prefix, float fallback,
                         PbrtRoughness unit, PbrtTextures& textures, PbrtContext& context,
                         Material& material);

/// True for a roughness at which surfaces of pbrt reflect like mirrors.
bool is_pbrt_smooth(const Material& material);

/// Sets eta and k of a metal to those of "eta" and "k" after a prefix; copper without any.
void read_pbrt_metal(const PbrtObject& object, const std::string& prefix, PbrtContext& context,
                     Material& material);

/// Diffuse in the colour that light has after many scatterings below a surface.
Material read_pbrt_subsurface(const PbrtObject& object, PbrtTextures& textures,
                              PbrtContext& context);

}  // namespace winnow
