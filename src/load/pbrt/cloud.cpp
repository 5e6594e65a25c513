// SPDX-License-Identifier: MIT
// The densities of the medium "cloud" of pbrt-v4.
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/common.hpp>

#include "load/pbrt/convert.h"

namespace winnow {
namespace {

/// The permutation of Perlin, "Improving Noise", SIGGRAPH 2002.
constexpr std::array<uint8_t, 256> kPermutation = {
    151, 160, 137, 91,  90,  15,  131, 13,  201, 95,  96,  53,  194, 233, 7,   225, 140, 36,  103,
    30,  69,  142, 8,   99,  37,  240, 21,  10,  23,  190, 6,   148, 247, 120, 234, 75,  0,   26,
    197, 62,  94,  252, 219, 203, 117, 35,  11,  32,  57,  177, 33,  88,  237, 149, 56,  87,  174,
    20,  125, 136, 171, 168, 68,  175, 74,  165, 71,  134, 139, 48,  27,  166, 77,  146, 158, 231,
    83,  111, 229, 122, 60,  211, 133, 230, 220, 105, 92,  41,  55,  46,  245, 40,  244, 102, 143,
    54,  65,  25,  63,  161, 1,   216, 80,  73,  209, 76,  132, 187, 208, 89,  18,  169, 200, 196,
    135, 130, 116, 188, 159, 86,  164, 100, 109, 198, 173, 186, 3,   64,  52,  217, 226, 250, 124,
    123, 5,   202, 38,  147, 118, 126, 255, 82,  85,  212, 207, 206, 59,  227, 47,  16,  58,  17,
    182, 189, 28,  42,  223, 183, 170, 213, 119, 248, 152, 2,   44,  154, 163, 70,  221, 153, 101,
    155, 167, 43,  172, 9,   129, 22,  39,  253, 19,  98,  108, 110, 79,  113, 224, 232, 178, 185,
    112, 104, 218, 246, 97,  228, 251, 34,  242, 193, 238, 210, 144, 12,  191, 179, 162, 241, 81,
    51,  145, 235, 249, 14,  239, 107, 49,  192, 214, 31,  181, 199, 106, 157, 184, 84,  204, 176,
    115, 121, 50,  45,  127, 4,   150, 254, 138, 236, 205, 93,  222, 114, 67,  29,  24,  72,  243,
    141, 128, 195, 78,  66,  215, 61,  156, 180};

uint32_t permuted(uint32_t i) {
  return kPermutation[i % kPermutation.size()];
}

/// Returns the product of an offset and the gradient at a point of the lattice, one of 12.
double slope_at(const glm::ivec3& point, glm::dvec3 offset) {
  const uint32_t hash =
      permuted(permuted(permuted(uint32_t(point.x)) + uint32_t(point.y)) + uint32_t(point.z));
  const uint32_t kind = hash % 16;
  const bool is_in_xy = kind == 12 || kind == 13;
  const double u = kind < 8 || is_in_xy ? offset.x : offset.y;
  const double v = kind < 4 || is_in_xy ? offset.y : offset.z;
  return (kind & 1 ? -u : u) + (kind & 2 ? -v : v);
}

/// Returns Perlin's noise: zero at the points of a lattice, with a gradient there.
double perlin_noise(glm::dvec3 p) {
  const glm::dvec3 low = glm::floor(p), f = p - low;
  const glm::dvec3 smooth = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const glm::ivec3 o{corner & 1, corner >> 1 & 1, corner >> 2};
    double weight = 1.0;
    for (int axis = 0; axis < 3; ++axis) weight *= o[axis] ? smooth[axis] : 1.0 - smooth[axis];
    sum += weight * slope_at(glm::ivec3(low) + o, f - glm::dvec3(o));
  }
  return sum;
}

}  // namespace

// pbrt-v4, class CloudMedium: the constants of its shape.
float cloud_density(glm::dvec3 p, const PbrtCloud& cloud) {
  constexpr double kLacunarity = 1.99, kGain = 0.5;
  constexpr double kWispFrequency = 10.0, kWispSize = 0.05, kDelta = 0.01;
  constexpr int kWispOctaves = 2, kOctaves = 5;
  constexpr double kContrast = 4.5, kGroundHeight = 0.5, kGroundSlope = 2.0;

  glm::dvec3 at = cloud.frequency * p;
  double amplitude = kWispSize * cloud.wispiness, frequency = kWispFrequency;
  for (int i = 0; i < kWispOctaves && cloud.wispiness > 0.0; ++i) {
    const glm::dvec3 place = frequency * at;
    const double here = perlin_noise(place);
    for (int axis = 0; axis < 3; ++axis) {
      glm::dvec3 beside = place;
      beside[axis] += kDelta;
      at[axis] += amplitude * (perlin_noise(beside) - here) / kDelta;
    }
    amplitude *= kGain;
    frequency *= kLacunarity;
  }
  double sum = 0.0;
  amplitude = kGain;
  frequency = 1.0;
  for (int i = 0; i < kOctaves; ++i) {
    sum += amplitude * perlin_noise(frequency * at);
    amplitude *= kGain;
    frequency *= kLacunarity;
  }
  const double with_height = std::clamp((1.0 - p.y) * kContrast * cloud.density * sum, 0.0, 1.0);
  const double ground = kGroundSlope * std::max(0.0, kGroundHeight - p.y);
  return float(std::clamp(with_height + ground, 0.0, 1.0));
}

GridVolume cloud_volume(const PbrtCloud& cloud, glm::dvec3 low, glm::dvec3 high) {
  // The fourth octave of the noise has four samples to a period.
  constexpr double kSamplesPerPeriod = 32.0, kMinSide = 8.0, kMaxSide = 256.0;
  GridVolume volume;
  volume.size = glm::uvec3(glm::clamp(
      glm::ceil(glm::abs(high - low) * (cloud.frequency * kSamplesPerPeriod)), kMinSide, kMaxSide));
  const glm::uvec3 size = volume.size;
  volume.values.resize(size_t(size.x) * size.y * size.z);
  oneapi::tbb::parallel_for(0u, size.z, [&](uint32_t z) {
    size_t i = size_t(z) * size.y * size.x;
    for (uint32_t y = 0; y < size.y; ++y)
      for (uint32_t x = 0; x < size.x; ++x) {
        const glm::dvec3 share = (glm::dvec3(x, y, z) + 0.5) / glm::dvec3(size);
        volume.values[i++] = cloud_density(glm::mix(low, high, share), cloud);
      }
  });
  return volume;
}

}  // namespace winnow
