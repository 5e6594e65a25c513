// SPDX-License-Identifier: MIT
#include "scene/spectra/spectrum.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <iterator>

#include "math/sampling.h"

namespace winnow {
namespace {

/// Colour matching functions of the CIE 1931 standard observer and relative power of the illuminant
/// D65. CIE 018:2019 and CIE 15:2018.
struct CieRow {
  double x, y, z, d65;
};

constexpr double kFirst = 360.0, kStep = 5.0;  // nm, wavelengths of the rows
constexpr CieRow kCie[] = {
#include "scene/spectra/spectrum_table.inc"
};

constexpr double kLast = kFirst + kStep * double(std::size(kCie) - 1);

CieRow cie_at(double wavelength) {
  const double place = (wavelength - kFirst) / kStep;
  const size_t row = std::min(size_t(place), std::size(kCie) - 2);
  const double t = place - double(row);
  const CieRow &a = kCie[row], &b = kCie[row + 1];
  return {std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t), std::lerp(a.z, b.z, t),
          std::lerp(a.d65, b.d65, t)};
}

double value_at(std::span<const SpectrumSample> samples, double wavelength) {
  const auto above = std::upper_bound(
      samples.begin(), samples.end(), wavelength,
      [](double w, const SpectrumSample& sample) { return w < double(sample.wavelength); });
  if (above == samples.begin()) return 0.0;
  const SpectrumSample& a = above[-1];
  if (above == samples.end()) return wavelength > double(a.wavelength) ? 0.0 : double(a.value);
  const double t = (wavelength - a.wavelength) / (double(above->wavelength) - a.wavelength);
  return std::lerp(double(a.value), double(above->value), t);
}

/// Returns the CIE XYZ of light of power `power(wavelength) * illuminant(row)`, relative to the
/// luminance of the illuminant.
template <class Power, class Illuminant>
glm::dvec3 integrate_xyz(const Power& power, const Illuminant& illuminant) {
  constexpr double kFine = 0.25;  // nm: measured spectra have steps of 1 to 10 nm
  glm::dvec3 xyz(0.0);
  double luminance = 0.0;
  for (double wavelength = kFirst; wavelength <= kLast; wavelength += kFine) {
    const CieRow row = cie_at(wavelength);
    const double light = illuminant(row);
    luminance += light * row.y;
    xyz += light * power(wavelength) * glm::dvec3(row.x, row.y, row.z);
  }
  return xyz / luminance;
}

/// Returns the linear Rec.709 colour of light of power `power(wavelength) * illuminant(row)`.
template <class Power, class Illuminant>
glm::vec3 integrate(const Power& power, const Illuminant& illuminant) {
  return rgb_of_xyz(integrate_xyz(power, illuminant));
}

/// Converts CIE XYZ to linear Rec.709; channels of colours out of gamut may be below 0.
glm::dvec3 unclamped_rgb_of_xyz(glm::dvec3 xyz) {
  return {3.2404542 * xyz.x - 1.5371385 * xyz.y - 0.4985314 * xyz.z,
          -0.9692660 * xyz.x + 1.8760108 * xyz.y + 0.0415560 * xyz.z,
          0.0556434 * xyz.x - 0.2040259 * xyz.y + 1.0572252 * xyz.z};
}

double d65_of(const CieRow& row) {
  return row.d65;
}

double equal_energy(const CieRow&) {
  return 1.0;
}

constexpr double kSecondRadiation = 1.438777e7;  // h c / k, nm K

/// Returns the linear Rec.709 of the spectrum of a black body over what Wien's law says of it at a
/// wavelength.
glm::vec3 rgb_of_planck(double temperature, double reference) {
  const double exponent = kSecondRadiation / temperature;
  auto planck = [&](double wavelength) {
    const double wien = std::exp(exponent * (1.0 / reference - 1.0 / wavelength));
    return wien / (std::pow(wavelength / reference, 5.0) * -std::expm1(-exponent / wavelength));
  };
  return integrate(planck, equal_energy);
}

}  // namespace

glm::vec3 rgb_of_xyz(glm::dvec3 xyz) {
  return glm::max(glm::vec3(unclamped_rgb_of_xyz(xyz)), glm::vec3(0.0f));
}

glm::vec3 rgb_of_emission(std::span<const SpectrumSample> samples) {
  return integrate([&](double wavelength) { return value_at(samples, wavelength); }, equal_energy);
}

glm::vec3 rgb_of_reflectance(std::span<const SpectrumSample> samples) {
  return integrate([&](double wavelength) { return value_at(samples, wavelength); }, d65_of);
}

glm::vec3 rgb_of_interference(double path) {
  constexpr double kTurn = 6.283185307179586;
  // Dividing by this makes the path 0 exactly white: the coefficients of the matrix are rounded.
  static const glm::dvec3 kWhite =
      unclamped_rgb_of_xyz(integrate_xyz([](double) { return 1.0; }, d65_of));
  return glm::vec3(
      unclamped_rgb_of_xyz(integrate_xyz(
          [&](double wavelength) { return std::cos(kTurn * path / wavelength); }, d65_of)) /
      kWhite);
}

glm::vec3 rgb_of_black_body(float temperature) {
  constexpr double kGreen = 555.0;    // nm, where the exponent is 0
  constexpr double kCoolest = 100.0;  // K; below, doubles do not hold the powers
  const glm::vec3 rgb = rgb_of_planck(std::max(double(temperature), kCoolest), kGreen);
  return rgb / luminance(rgb);
}

glm::vec3 rgb_of_black_body_over_maximum(float temperature) {
  constexpr double kWien = 2.897771955e6;  // nm K, wavelength of the maximum times temperature
  const auto planck_over_wien = float(-std::expm1(-kSecondRadiation / kWien));
  return planck_over_wien * rgb_of_planck(double(temperature), kWien / double(temperature));
}

}  // namespace winnow
