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
  const float height = glm::dot(w, sky.up), above = glm::min(height, 1.0f);
  const glm::vec3 upper = (1.0f - above) * sky.horizon + above * sky.zenith;
  return {height < 0.0f ? sky.ground.x : upper.x, height < 0.0f ? sky.ground.y : upper.y,
          height < 0.0f ? sky.ground.z : upper.z};
}

/// Returns the mean luminance of the upper hemisphere.
SIMT_HOST_DEVICE inline float upper_sky_luminance(const Sky& sky) {
  return 0.5f * (luminance(sky.horizon) + luminance(sky.zenith));
}

/// Returns the density in sr^-1 of a direction by its `radiance`. The sky is not black.
SIMT_HOST_DEVICE inline float lit_sky_pdf(const Sky& sky, glm::vec3 radiance) {
  return luminance(radiance) / (kTwoPi * (upper_sky_luminance(sky) + luminance(sky.ground)));
}

/// Returns the density in sr^-1 of `w` in sample_lit_sky(); 0 where the sky is black.
SIMT_HOST_DEVICE inline float sky_pdf(const Sky& sky, glm::vec3 w) {
  if (!(upper_sky_luminance(sky) + luminance(sky.ground) > 0.0f)) return 0.0f;
  return lit_sky_pdf(sky, eval_sky(sky, w));
}

/// Samples a direction by luminance, with the density sky_pdf(). Has no branches, so that a CPU's
/// loops over paths are vectorized.
///
/// @param sky  not black
/// @param u    two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline glm::vec3 sample_lit_sky(const Sky& sky, glm::vec2 u) {
  const float upper = upper_sky_luminance(sky), lower = luminance(sky.ground);

  // Sine of the elevation: first the hemisphere, then the height in it.
  const float p_lower = lower / (upper + lower);
  const float below = u.x / p_lower - 1.0f;
  const float rest = glm::min((u.x - p_lower) / (1.0f - p_lower), kOneMinusEpsilon);
  const float above = sample_linear(rest, luminance(sky.horizon), luminance(sky.zenith));
  const float height = u.x < p_lower ? below : above;

  const float r = std::sqrt(glm::max(1.0f - height * height, 0.0f));
  return Frame(sky.up).to_world({r * unit_circle(u.y), height});
}

/// Inverts sample_lit_sky(): returns the uniforms of a direction, of unit length, in [0, 1).
SIMT_HOST_DEVICE inline glm::vec2 invert_sky(const Sky& sky, glm::vec3 w) {
  const glm::vec3 local = Frame(sky.up).to_local(w);
  const float upper = upper_sky_luminance(sky), lower = luminance(sky.ground);
  const float p_lower = lower / (upper + lower);
  const float height = glm::clamp(local.z, -1.0f, 1.0f);
  const float rest = invert_linear(height, luminance(sky.horizon), luminance(sky.zenith));
  const float x = height < 0.0f ? p_lower * (1.0f + height) : p_lower + (1.0f - p_lower) * rest;
  const float turns = turns_of({local.x, local.y});
  return {glm::min(x, kOneMinusEpsilon),
          glm::min(turns < 0.0f ? turns + 1.0f : turns, kOneMinusEpsilon)};
}

}  // namespace winnow
