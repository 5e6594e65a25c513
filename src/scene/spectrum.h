// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <span>

namespace winnow {

/// A value of a spectrum. Between two samples a spectrum is linear; outside of all it is 0.
struct SpectrumSample {
  float wavelength;  ///< nm
  float value;
};

/// Linear Rec.709 of a colour in CIE XYZ; no channel is below 0: colours out of gamut are clamped.
glm::vec3 rgb_of_xyz(glm::dvec3 xyz);

/// Linear Rec.709 of the light with this spectrum, through the colour matching functions of CIE
/// 1931. The constant spectrum 1 has luminance 1 and the hue of equal energy, which is warmer than
/// white. No channel is below 0: colours out of gamut are clamped.
/// @param samples  wavelengths increase
glm::vec3 rgb_of_emission(std::span<const SpectrumSample> samples);

/// Linear Rec.709 of a surface with this reflectance under daylight, CIE D65: 1 is white. No
/// channel is below 0.
/// @param samples  wavelengths increase
glm::vec3 rgb_of_reflectance(std::span<const SpectrumSample> samples);

/// Linear Rec.709 of the reflectance cos(2 pi path / wavelength) under CIE D65, which is the colour
/// of interference between two waves: 1 at the path 0. Channels may be below 0.
/// @param path  nm, difference of the paths of the waves
glm::vec3 rgb_of_interference(double path);

/// Linear Rec.709 of a black body, relative to its luminance. No channel is below 0.
/// @param temperature  K, above 0
glm::vec3 rgb_of_black_body(float temperature);

}  // namespace winnow
