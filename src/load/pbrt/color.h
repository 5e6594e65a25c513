// SPDX-License-Identifier: MIT
#pragma once

#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <optional>
#include <string_view>

#include "load/pbrt/context.h"

namespace winnow {

/// Use of a spectrum.
enum class PbrtSpectrumUse {
  kSurface,  ///< a reflectance or another factor, under daylight
  kLight,    ///< a light; in version 4 its spectra and black bodies have luminance 1
};

/// Reads a parameter that is a colour, in linear Rec.709: rgb, xyz, blackbody, spectrum (numbers, a
/// name or a file), or a number for grey. No channel is below 0.
glm::vec3 read_pbrt_color(const PbrtObject& object, std::string_view name, glm::vec3 fallback,
                          PbrtSpectrumUse use, PbrtContext& context);

/// Reads a parameter that is a reflectance: a colour clamped to 1, with a warning.
glm::vec3 read_pbrt_reflectance(const PbrtObject& object, std::string_view name, glm::vec3 fallback,
                                PbrtContext& context);

/// Clamps a factor of reflectances to 1, with a warning.
glm::vec3 clamp_pbrt_reflectance(const PbrtObject& object, glm::vec3 color, PbrtContext& context);

/// An index of refraction, with its dispersion.
struct PbrtIor {
  float ior = 1.5f;
  float dispersion = 0.0f;  ///< 20 / Abbe number
};

/// Reads a parameter that is a number, a spectrum or the name of a glass.
PbrtIor read_pbrt_ior(const PbrtObject& object, PbrtContext& context);

/// Returns the matrix from a linear colour space of pbrt to Rec.709; nothing if the name is
/// unknown.
std::optional<glm::mat3> pbrt_color_space(std::string_view name);

}  // namespace winnow
