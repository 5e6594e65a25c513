// SPDX-License-Identifier: MIT
#include "scene/spectrum.h"

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
    {0.00013, 0.000004, 0.000606, 46.6383},
    {0.000232, 0.000007, 0.001086, 49.3637},
    {0.000415, 0.000012, 0.001946, 52.0891},
    {0.000742, 0.000022, 0.003486, 51.0323},
    {0.001368, 0.000039, 0.00645, 49.9755},
    {0.002236, 0.000064, 0.01055, 52.3118},
    {0.004243, 0.00012, 0.02005, 54.6482},
    {0.00765, 0.000217, 0.03621, 68.7015},
    {0.01431, 0.000396, 0.06785, 82.7549},
    {0.02319, 0.00064, 0.1102, 87.1204},
    {0.04351, 0.00121, 0.2074, 91.486},
    {0.07763, 0.00218, 0.3713, 92.4589},
    {0.13438, 0.004, 0.6456, 93.4318},
    {0.21477, 0.0073, 1.03905, 90.057},
    {0.2839, 0.0116, 1.3856, 86.6823},
    {0.3285, 0.01684, 1.62296, 95.7736},
    {0.34828, 0.023, 1.74706, 104.865},
    {0.34806, 0.0298, 1.7826, 110.936},
    {0.3362, 0.038, 1.77211, 117.008},
    {0.3187, 0.048, 1.7441, 117.41},
    {0.2908, 0.06, 1.6692, 117.812},
    {0.2511, 0.0739, 1.5281, 116.336},
    {0.19536, 0.09098, 1.28764, 114.861},
    {0.1421, 0.1126, 1.0419, 115.392},
    {0.09564, 0.13902, 0.81295, 115.923},
    {0.05795, 0.1693, 0.6162, 112.367},
    {0.03201, 0.20802, 0.46518, 108.811},
    {0.0147, 0.2586, 0.3533, 109.082},
    {0.0049, 0.323, 0.272, 109.354},
    {0.0024, 0.4073, 0.2123, 108.578},
    {0.0093, 0.503, 0.1582, 107.802},
    {0.0291, 0.6082, 0.1117, 106.296},
    {0.06327, 0.71, 0.07825, 104.79},
    {0.1096, 0.7932, 0.05725, 106.239},
    {0.1655, 0.862, 0.04216, 107.689},
    {0.22575, 0.91485, 0.02984, 106.047},
    {0.2904, 0.954, 0.0203, 104.405},
    {0.3597, 0.9803, 0.0134, 104.225},
    {0.43345, 0.99495, 0.00875, 104.046},
    {0.51205, 1, 0.00575, 102.023},
    {0.5945, 0.995, 0.0039, 100},
    {0.6784, 0.9786, 0.00275, 98.1671},
    {0.7621, 0.952, 0.0021, 96.3342},
    {0.8425, 0.9154, 0.0018, 96.0611},
    {0.9163, 0.87, 0.00165, 95.788},
    {0.9786, 0.8163, 0.0014, 92.2368},
    {1.0263, 0.757, 0.0011, 88.6856},
    {1.0567, 0.6949, 0.001, 89.3459},
    {1.0622, 0.631, 0.0008, 90.0062},
    {1.0456, 0.5668, 0.0006, 89.8026},
    {1.0026, 0.503, 0.00034, 89.5991},
    {0.9384, 0.4412, 0.00024, 88.6489},
    {0.85445, 0.381, 0.00019, 87.6987},
    {0.7514, 0.321, 0.0001, 85.4936},
    {0.6424, 0.265, 0.00005, 83.2886},
    {0.5419, 0.217, 0.00003, 83.4939},
    {0.4479, 0.175, 0.00002, 83.6992},
    {0.3608, 0.1382, 0.00001, 81.863},
    {0.2835, 0.107, 0, 80.0268},
    {0.2187, 0.0816, 0, 80.1207},
    {0.1649, 0.061, 0, 80.2146},
    {0.1212, 0.04458, 0, 81.2462},
    {0.0874, 0.032, 0, 82.2778},
    {0.0636, 0.0232, 0, 80.281},
    {0.04677, 0.017, 0, 78.2842},
    {0.0329, 0.01192, 0, 74.0027},
    {0.0227, 0.00821, 0, 69.7213},
    {0.01584, 0.005723, 0, 70.6652},
    {0.011359, 0.004102, 0, 71.6091},
    {0.008111, 0.002929, 0, 72.979},
    {0.00579, 0.002091, 0, 74.349},
    {0.004109, 0.001484, 0, 67.9765},
    {0.002899, 0.001047, 0, 61.604},
    {0.002049, 0.00074, 0, 65.7448},
    {0.00144, 0.00052, 0, 69.8856},
    {0.001, 0.000361, 0, 72.4863},
    {0.00069, 0.000249, 0, 75.087},
    {0.000476, 0.000172, 0, 69.3398},
    {0.000332, 0.00012, 0, 63.5927},
    {0.000235, 0.000085, 0, 55.0054},
    {0.000166, 0.00006, 0, 46.4182},
    {0.000117, 0.000042, 0, 56.6118},
    {0.000083, 0.00003, 0, 66.8054},
    {0.000059, 0.000021, 0, 65.0941},
    {0.000042, 0.000015, 0, 63.3828},
    {0.000029, 0.000011, 0, 63.3828},
    {0.000021, 0.000007, 0, 63.3828},
    {0.000015, 0.000005, 0, 63.3828},
    {0.00001, 0.000004, 0, 63.3828},
    {0.000007, 0.000003, 0, 63.3828},
    {0.000005, 0.000002, 0, 63.3828},
    {0.000004, 0.000001, 0, 63.3828},
    {0.000003, 0.000001, 0, 63.3828},
    {0.000002, 0.000001, 0, 63.3828},
    {0.000001, 0, 0, 63.3828},
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
  constexpr double kSecondRadiation = 1.438777e7;  // h c / k, nm K
  constexpr double kGreen = 555.0;                 // nm, where the exponent is 0
  constexpr double kCoolest = 100.0;               // K; below, doubles do not hold the powers
  const double exponent = kSecondRadiation / std::max(double(temperature), kCoolest);
  auto planck = [&](double wavelength) {
    const double wien = std::exp(exponent * (1.0 / kGreen - 1.0 / wavelength));
    return wien / (std::pow(wavelength / kGreen, 5.0) * -std::expm1(-exponent / wavelength));
  };
  const glm::vec3 rgb = integrate(planck, equal_energy);
  return rgb / luminance(rgb);
}

}  // namespace winnow
