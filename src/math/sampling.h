// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/constants.h"
#include "math/exponential.h"

namespace winnow {

// Uniforms `u` are independent and in [0, 1). Densities are in sr^-1 unless noted otherwise.

/// Returns the point of the unit circle at an angle of `turns` full turns, counterclockwise from
/// (1, 0): cosine and sine to within two ulps. Has no branch for large angles.
///
/// @param turns  [-2^20, 2^20]
SIMT_HOST_DEVICE inline glm::vec2 unit_circle(float turns) {
  const float quarters = 4.0f * turns;
  const float nearest = std::floor(quarters + 0.5f);
  const float x = quarters - nearest, x2 = x * x;  // quarter turns, [-0.5, 0.5]
  // The polynomials of least relative error on this interval: 3e-9 and 4e-8.
  const float sine =
      x * (1.5707963f + x2 * (-0.64596346f + x2 * (0.079680033f + x2 * -0.0046016578f)));
  const float cosine = 1.0f + x2 * (-1.2336977f + x2 * (0.25360321f + x2 * -0.020417283f));

  const uint32_t quarter = uint32_t(int32_t(nearest));
  const glm::vec2 half = quarter & 1 ? glm::vec2{-sine, cosine} : glm::vec2{cosine, sine};
  return quarter & 2 ? -half : half;
}

/// Inverts unit_circle(): returns the angle of a vector from (1, 0), counterclockwise, in turns,
/// with a relative error of at most 2e-7 below an eighth of a turn. Has no branches.
///
/// @param v  shorter than the square root of the largest float; the zero vector gives 0
/// @return   [-0.5, 0.5]
SIMT_HOST_DEVICE inline float turns_of(glm::vec2 v) {
  const float x = std::abs(v.x), y = std::abs(v.y);
  const float shorter = x < y ? x : y, longer = x < y ? y : x;
  const float t = longer > 0.0f ? shorter / longer : 0.0f, t2 = t * t;
  // The polynomial of least relative error: 1.5e-8.
  float turns = 0.00679460447f + t2 * (-0.0025574232f + t2 * 0.000453579007f);
  turns = 0.0169355925f + t2 * (-0.0119434912f + t2 * turns);
  turns = 0.031819243f + t2 * (-0.0226058085f + t2 * turns);
  turns = t * (0.159154937f + t2 * (-0.0530512333f + t2 * turns));
  turns = x < y ? 0.25f - turns : turns;
  turns = v.x < 0.0f ? 0.5f - turns : turns;
  return std::copysign(turns, v.y);
}

/// Returns the argument of the logarithm in inverse_erf().
SIMT_HOST_DEVICE inline float inverse_erf_rest(float x) {
  constexpr float kMinRest = 1.0f - kOneMinusEpsilon;
  const float rest = (1.0f - x) * (1.0f + x);
  return rest > kMinRest ? rest : kMinRest;
}

/// Returns the inverse of the error function, with a relative error of at most 1.5e-5.
///
/// @param x  [-1, 1]; the ends give -3.92 and 3.92
/// @param w  -logarithm(inverse_erf_rest(x))
SIMT_HOST_DEVICE inline float inverse_erf(float x, float w) {
  // inverse_erf(x) / x is a smooth function of w, here the ratio of cubics of least relative error.
  const float above = 0.88623891f + w * (0.30049741f + w * (0.053773527f + w * 0.0054885260f));
  const float below = 1.0f + w * (0.077302137f + w * (0.027532106f + w * 3.9983045e-4f));
  return x * (above / below);
}
SIMT_HOST_DEVICE inline float inverse_erf(float x) {
  return inverse_erf(x, -logarithm(inverse_erf_rest(x)));
}

/// Returns the luminance of a linear Rec.709 colour.
SIMT_HOST_DEVICE inline float luminance(glm::vec3 rgb) {
  return 0.2126f * rgb.x + 0.7152f * rgb.y + 0.0722f * rgb.z;
}

/// Returns the MIS weight (balance heuristic) of a sample drawn with density `a` that another
/// technique draws with density `b`, one sample each. Either may be infinite; if `a` is 0, the
/// weight is 0. The power heuristic, which squares the densities, has less variance with random
/// samples of narrow lobes, but its weights are steeper functions of direction, so evenly
/// distributed samples gain less.
/// Veach, "Robust Monte Carlo Methods for Light Transport Simulation", 1997.
SIMT_HOST_DEVICE inline float balance_heuristic(float a, float b) {
  if (!(a > 0.0f)) return 0.0f;
  if (a == b) return 0.5f;       // also for two infinities
  return 1.0f / (1.0f + b / a);  // their sum could overflow
}

/// Samples a point of the unit disk uniformly. Maps compact strata to compact regions.
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

/// Samples a point of a triangle uniformly. Returns the barycentric weights of its second and third
/// vertex.
/// Heitz, "A Low-Distortion Map Between Triangle and Square", 2019.
SIMT_HOST_DEVICE inline glm::vec2 sample_uniform_triangle(glm::vec2 u) {
  if (u.y > u.x) {
    float x = 0.5f * u.x;
    return {x, u.y - x};
  }
  float y = 0.5f * u.y;
  return {u.x - y, y};
}

/// Samples a point of a regular polygon uniformly. Its corners lie on the unit circle, one of them
/// at (1, 0). u.x selects a triangle between the center and a side; its remainder and u.y select a
/// point in it.
///
/// @param corners  at least 3
SIMT_HOST_DEVICE inline glm::vec2 sample_regular_polygon(glm::vec2 u, uint32_t corners) {
  const float position = u.x * float(corners);
  const uint32_t side = glm::min(uint32_t(position), corners - 1);
  const glm::vec2 weights = sample_uniform_triangle({position - float(side), u.y});
  const float turn = 1.0f / float(corners);
  return weights.x * unit_circle(float(side) * turn) +
         weights.y * unit_circle(float(side + 1) * turn);
}

/// Samples a direction uniformly in a cone about +z.
///
/// @param one_minus_cos_max  1 - cos of the half angle, which stays accurate for a thin cone
SIMT_HOST_DEVICE inline glm::vec3 sample_uniform_cone(glm::vec2 u, float one_minus_cos_max) {
  float one_minus_cos = u.x * one_minus_cos_max;
  float r = std::sqrt(one_minus_cos * (2.0f - one_minus_cos));
  return {r * unit_circle(u.y), 1.0f - one_minus_cos};
}

/// Returns the density inside the cone, sr^-1.
SIMT_HOST_DEVICE inline float uniform_cone_pdf(float one_minus_cos_max) {
  return 1.0f / (kTwoPi * one_minus_cos_max);
}

/// Samples x in [0, 1) with density proportional to lerp(a, b, x).
///
/// @param a, b  not negative, not both 0
/// Solves x (2a + (b - a) x) / (a + b) = u, the cumulative distribution, in a form without
/// cancellation.
SIMT_HOST_DEVICE inline float sample_linear(float u, float a, float b) {
  if (u == 0.0f) return 0.0f;
  float sum = a + b;
  a /= sum, b /= sum;  // their squares stay in range
  float x = u / (a + std::sqrt((1.0f - u) * a * a + u * b * b));
  return glm::min(x, kOneMinusEpsilon);
}

/// Inverts sample_linear(): returns the uniform of a sample x, 0 if both weights are 0.
SIMT_HOST_DEVICE inline float invert_linear(float x, float a, float b) {
  const float sum = a + b;
  return sum > 0.0f ? x * (2.0f * (a / sum) + (b / sum - a / sum) * x) : 0.0f;
}

}  // namespace winnow
