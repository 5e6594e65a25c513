// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "math/frame.h"
#include "math/sampling.h"

namespace winnow {

// The axis and the shadows of diffuse lobes. On surfaces without a normal map the axis is z, as for
// specular lobes. On others z is the bent normal, about which specular lobes are, and the axis is
// the mapped normal as it is. Directions `wi` are turned to the side of `wo`, above z = 0.

/// A diffuse lobe about z.
struct LambertLobe {
  /// Returns the cosine between `wi` and the axis, at least 0.
  SIMT_HOST_DEVICE float cosine(glm::vec3 wi) const { return wi.z; }

  /// Returns the share of light from `wi` that bumps do not shadow.
  SIMT_HOST_DEVICE float shadowing(glm::vec3 /* wi */) const { return 1.0f; }

  /// Returns the factor of f: what a lobe about the axis reflects, over the cosine to z.
  SIMT_HOST_DEVICE float gain(glm::vec3 /* wi */) const { return 1.0f; }

  /// Samples a direction in proportion to cosine(); returns zero if it is not above z = 0.
  SIMT_HOST_DEVICE glm::vec3 sample(glm::vec2 u) const { return sample_cosine_hemisphere(u); }
};

/// Returns the squared roughness of microfacets that shadow each other like bumps.
///
/// Estevez et al., "A Microfacet-Based Shadowing Function to Solve the Bump Terminator Problem",
/// Ray Tracing Gems, 2019.
/// @param cosine  between the normals before and after normal mapping, at least 0
SIMT_HOST_DEVICE inline float roughness_of_bumps(float cosine) {
  constexpr float kOfTangent = 0.125f;
  const float squared = cosine * cosine;
  return glm::min(kOfTangent * glm::max(1.0f - squared, 0.0f) / squared, 1.0f);
}

/// Returns the factor by which bumps shadow light to or from a direction.
///
/// @param roughness  roughness_of_bumps(), or 0 for no shadows
/// @param ns         shading normal before normal mapping, unit length
/// @param wi         unit length
SIMT_HOST_DEVICE inline float shadowing_of_bumps(float roughness, glm::vec3 ns, glm::vec3 wi) {
  if (roughness == 0.0f) return 1.0f;
  const float cosine = glm::dot(ns, wi), squared = cosine * cosine;
  const float tangent = glm::max(1.0f - squared, 0.0f) / squared;
  return 2.0f / (1.0f + std::sqrt(1.0f + roughness * tangent));
}

/// A diffuse lobe about a mapped normal, on any side of which `wo` may be.
struct BumpedLambertLobe : LambertLobe {
  glm::vec3 n{0.0f, 0.0f, 1.0f};  ///< axis, above z = 0
  glm::vec3 ns{0.0f};             ///< shading normal before normal mapping
  float roughness = 0.0f;         ///< for shadowing_of_bumps()

  SIMT_HOST_DEVICE float cosine(glm::vec3 wi) const { return glm::max(glm::dot(n, wi), 0.0f); }
  SIMT_HOST_DEVICE float shadowing(glm::vec3 wi) const {
    return shadowing_of_bumps(roughness, ns, wi);
  }
  SIMT_HOST_DEVICE float gain(glm::vec3 wi) const {
    const float leaning = n.z == 1.0f ? 1.0f : cosine(wi) / wi.z;  // GPUs round z / z
    return leaning * shadowing(wi);
  }
  SIMT_HOST_DEVICE glm::vec3 sample(glm::vec2 u) const {
    const glm::vec3 wi = Frame(n).to_world(sample_cosine_hemisphere(u));
    return wi.z > 0.0f ? wi : glm::vec3(0.0f);
  }
};

}  // namespace winnow
