#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/constants.h"
#include "math/unit_circle.h"

// Uniforms `u` are independent and in [0, 1). Densities are in sr^-1 unless they say otherwise.

namespace winnow {

/// Brightness of a Rec.709 colour.
SIMT_HOST_DEVICE inline float luminance(glm::vec3 rgb) {
  return 0.2126f * rgb.x + 0.7152f * rgb.y + 0.0722f * rgb.z;
}

/// MIS weight of a sample of density `a` that the density `b` could have found too, one sample
/// each. Any of them may be infinite; a density of 0 has weight 0.
/// Veach, "Robust Monte Carlo Methods for Light Transport Simulation", 1997.
SIMT_HOST_DEVICE inline float power_heuristic(float a, float b) {
  if (!(a > 0.0f)) return 0.0f;
  if (a == b) return 0.5f;  // two infinities, too
  float ratio = b / a;      // squares of the densities themselves could overflow
  return 1.0f / (1.0f + ratio * ratio);
}

/// Uniform point of the unit disk. Keeps strata compact.
/// Shirley & Chiu, "A Low Distortion Map Between Disk and Square", 1997.
SIMT_HOST_DEVICE inline glm::vec2 sample_uniform_disk_concentric(glm::vec2 u) {
  glm::vec2 p = 2.0f * u - 1.0f;
  if (p.x == 0.0f && p.y == 0.0f) return {0.0f, 0.0f};
  bool wide = std::abs(p.x) > std::abs(p.y);
  float r = wide ? p.x : p.y;
  return r * unit_circle(wide ? 0.125f * (p.y / p.x) : 0.25f - 0.125f * (p.x / p.y));
}

/// Samples a direction about +z with density cos(theta) / pi.
///
/// @return  unit vector with z > 0
/// Malley's method: a uniform disk sample projected up to the hemisphere.
SIMT_HOST_DEVICE inline glm::vec3 sample_cosine_hemisphere(glm::vec2 u) {
  return {std::sqrt(u.x) * unit_circle(u.y), std::sqrt(1.0f - u.x)};
}

SIMT_HOST_DEVICE inline float cosine_hemisphere_pdf(float cos_theta) {
  return glm::max(cos_theta, 0.0f) * kInvPi;
}

/// The `u` that gives `w`.
SIMT_HOST_DEVICE inline glm::vec2 invert_cosine_hemisphere(glm::vec3 w) {
  float phi = std::atan2(w.y, w.x);
  return {w.x * w.x + w.y * w.y, phi * kInvTwoPi + (phi < 0.0f ? 1.0f : 0.0f)};
}

/// Uniform point of a triangle, as the barycentric weights of its second and third vertex.
/// Heitz, "A Low-Distortion Map Between Triangle and Square", 2019.
SIMT_HOST_DEVICE inline glm::vec2 sample_uniform_triangle(glm::vec2 u) {
  if (u.y > u.x) {
    float x = 0.5f * u.x;
    return {x, u.y - x};
  }
  float y = 0.5f * u.y;
  return {u.x - y, y};
}

/// Uniform point of the regular polygon whose corners lie on the unit circle, one of them at (1,
/// 0).
///
/// @param corners  at least 3
/// u.x chooses one of the triangles between the middle and a side, what is left of it and u.y a
/// point of it.
SIMT_HOST_DEVICE inline glm::vec2 sample_regular_polygon(glm::vec2 u, uint32_t corners) {
  const float position = u.x * float(corners);
  const uint32_t side = glm::min(uint32_t(position), corners - 1);
  const glm::vec2 weights = sample_uniform_triangle({position - float(side), u.y});
  const float turn = 1.0f / float(corners);
  return weights.x * unit_circle(float(side) * turn) +
         weights.y * unit_circle(float(side + 1) * turn);
}

/// Uniform direction, density 1 / (4 pi).
SIMT_HOST_DEVICE inline glm::vec3 sample_uniform_sphere(glm::vec2 u) {
  float z = 1.0f - 2.0f * u.x;
  float r = 2.0f * std::sqrt(u.x * (1.0f - u.x));  // sqrt(1 - z^2) without cancellation
  return {r * unit_circle(u.y), z};
}

inline constexpr float kUniformSpherePdf = kInvFourPi;  ///< sr^-1

/// Uniform direction of a cone about +z.
///
/// @param one_minus_cos_max  1 - cos of the half angle, which keeps its digits in a thin cone
SIMT_HOST_DEVICE inline glm::vec3 sample_uniform_cone(glm::vec2 u, float one_minus_cos_max) {
  float one_minus_cos = u.x * one_minus_cos_max;
  float r = std::sqrt(one_minus_cos * (2.0f - one_minus_cos));
  return {r * unit_circle(u.y), 1.0f - one_minus_cos};
}

/// Density inside of the cone.
SIMT_HOST_DEVICE inline float uniform_cone_pdf(float one_minus_cos_max) {
  return 1.0f / (kTwoPi * one_minus_cos_max);
}

/// Samples x in [0, 1) with density proportional to lerp(a, b, x).
///
/// @param a, b  not negative, and not both 0
/// The root of the cumulative x (2a + (b - a) x) / (a + b) = u, in the form that never cancels.
SIMT_HOST_DEVICE inline float sample_linear(float u, float a, float b) {
  if (u == 0.0f) return 0.0f;
  float sum = a + b;
  a /= sum, b /= sum;  // their squares stay in range
  float x = u / (a + std::sqrt((1.0f - u) * a * a + u * b * b));
  return glm::min(x, kOneMinusEpsilon);
}

/// Density over [0, 1), per unit of x.
SIMT_HOST_DEVICE inline float linear_pdf(float x, float a, float b) {
  return 2.0f * ((1.0f - x) * a + x * b) / (a + b);
}

/// The `u` that gives `x`.
SIMT_HOST_DEVICE inline float invert_linear(float x, float a, float b) {
  return x * ((2.0f - x) * a + x * b) / (a + b);
}

}  // namespace winnow
