// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/frame.h"
#include "math/sampling.h"
#include "scene/host_scene.h"

namespace winnow {

// The luminance of the sky is a function of the sine of the elevation: constant below the horizon
// and linear above. The sampling density is exactly proportional to it.

SIMT_HOST_DEVICE inline bool is_black(const Sky& sky) {
  glm::vec3 sum = sky.zenith + sky.horizon + sky.ground;
  return !(sum.x > 0.0f || sum.y > 0.0f || sum.z > 0.0f);
}

/// Returns the radiance from direction `w` in W sr^-1 m^-2.
SIMT_HOST_DEVICE inline glm::vec3 eval_sky(const Sky& sky, glm::vec3 w) {
  float height = glm::dot(w, sky.up);
  if (height < 0.0f) return sky.ground;
  height = glm::min(height, 1.0f);
  return (1.0f - height) * sky.horizon + height * sky.zenith;
}

/// Returns the mean luminance of the upper hemisphere.
SIMT_HOST_DEVICE inline float upper_sky_luminance(const Sky& sky) {
  return 0.5f * (luminance(sky.horizon) + luminance(sky.zenith));
}

/// Returns the density in sr^-1 of `w` in sample_sky(); 0 where the sky is black.
SIMT_HOST_DEVICE inline float sky_pdf(const Sky& sky, glm::vec3 w) {
  float both_hemispheres = upper_sky_luminance(sky) + luminance(sky.ground);
  if (!(both_hemispheres > 0.0f)) return 0.0f;
  return luminance(eval_sky(sky, w)) / (kTwoPi * both_hemispheres);
}

/// Samples a direction by luminance, with the density sky_pdf(). Zero if the sky is black.
///
/// @param u  two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline glm::vec3 sample_sky(const Sky& sky, glm::vec2 u) {
  float upper = upper_sky_luminance(sky), lower = luminance(sky.ground);
  if (!(upper + lower > 0.0f)) return glm::vec3(0.0f);

  // Sine of the elevation: first the hemisphere, then the height in it.
  float p_lower = lower / (upper + lower);
  float height;
  if (u.x < p_lower) {
    height = u.x / p_lower - 1.0f;
  } else {
    float rest = glm::min((u.x - p_lower) / (1.0f - p_lower), kOneMinusEpsilon);
    height = sample_linear(rest, luminance(sky.horizon), luminance(sky.zenith));
  }

  float r = std::sqrt(glm::max(1.0f - height * height, 0.0f));
  return Frame(sky.up).to_world({r * unit_circle(u.y), height});
}

}  // namespace winnow
