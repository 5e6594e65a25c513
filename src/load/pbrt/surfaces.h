// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "load/pbrt/context.h"
#include "load/pbrt/textures.h"
#include "scene/material.h"

namespace winnow {

/// Conversion from a roughness of pbrt to the alpha of microfacets.
enum class PbrtRoughness {
  kVersion4,  ///< square root of the roughness
  kVersion3,  ///< polynomial of the logarithm of the roughness
};

/// Converts a pbrt material that contains no other to the most similar one of Winnow. Warnings
/// state the differences.
/// @return  nothing if the type is unknown
std::optional<Material> read_pbrt_surface(const PbrtObject& object, PbrtTextures& textures,
                                          PbrtContext& context);

/// Converts a material of a type that only version 3 has: matte, plastic, uber, ...
std::optional<Material> read_old_pbrt_surface(const PbrtObject& object, PbrtTextures& textures,
                                              PbrtContext& context);

/// Sets the reflectance of a material from a parameter, a colour or a texture.
void read_pbrt_base_color(const PbrtObject& object, std::string_view name, float fallback,
                          PbrtTextures& textures, PbrtContext& context, Material& material);

/// Sets the roughness and the anisotropy of a material from "roughness", or "uroughness" and
/// "vroughness", after a prefix.
void read_pbrt_roughness(const PbrtObject& object, const std::string& prefix, float fallback,
                         PbrtRoughness unit, PbrtTextures& textures, PbrtContext& context,
                         Material& material);

/// True for a roughness at which pbrt treats a surface as perfectly smooth.
bool is_pbrt_smooth(const Material& material);

/// Sets eta and k of a metal from "eta" and "k" after a prefix; copper by default.
void read_pbrt_metal(const PbrtObject& object, const std::string& prefix, PbrtContext& context,
                     Material& material);

/// Converts subsurface scattering to a diffuse surface with the colour of light that scattered many
/// times.
Material read_pbrt_subsurface(const PbrtObject& object, PbrtTextures& textures,
                              PbrtContext& context);

}  // namespace winnow
