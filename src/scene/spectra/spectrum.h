// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <span>

namespace winnow {

/// A sample of a spectrum, which is linear between two samples and 0 outside of all.
struct SpectrumSample {
  float wavelength;  ///< nm
  float value;
};

/// Converts CIE XYZ to linear Rec.709. Colours out of gamut are clamped: no channel is below 0.
glm::vec3 rgb_of_xyz(glm::dvec3 xyz);

/// Converts the spectrum of a light to linear Rec.709, by the CIE 1931 colour matching functions.
/// The constant spectrum 1 has luminance 1 and the hue of equal energy, which is warmer than white.
/// Colours out of gamut are clamped: no channel is below 0.
/// @param samples  wavelengths increase
glm::vec3 rgb_of_emission(std::span<const SpectrumSample> samples);

/// Converts the reflectance of a surface under daylight (CIE D65) to linear Rec.709: 1 is white. No
/// channel is below 0.
/// @param samples  wavelengths increase
glm::vec3 rgb_of_reflectance(std::span<const SpectrumSample> samples);

/// Returns the colour of interference between two waves: the linear Rec.709 of the reflectance
/// cos(2 pi path / wavelength) under CIE D65. It is 1 for the path 0; channels may be below 0.
/// @param path  difference of the paths of the waves, nm
glm::vec3 rgb_of_interference(double path);

/// Returns the linear Rec.709 colour of a black body over its luminance. No channel is below 0.
/// @param temperature  above 0, K
glm::vec3 rgb_of_black_body(float temperature);

/// Converts the spectrum of a black body over its maximum, which may be invisible, to linear
/// Rec.709. The constant spectrum 1 has luminance 1. No channel is below 0.
/// @param temperature  at least 100 K
glm::vec3 rgb_of_black_body_over_maximum(float temperature);

}  // namespace winnow
