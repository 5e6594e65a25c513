// SPDX-License-Identifier: MIT
#pragma once

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "math/sampler.h"
#include "scene/material.h"

namespace winnow {

// Dispersion: glass refracts blue light more than red. At the first surface that does so, a path
// becomes one of a single channel with three times its throughput; its throughput then says which.

/// Index of refraction for a channel.
///
/// Material::dispersion is 20 over the Abbe number (n - 1) / (nF - nC) of the indices for the blue
/// line F and the red line C of hydrogen: half of their difference is (n - 1) dispersion / 40, as
/// in KHR_materials_dispersion of glTF.
SIMT_HOST_DEVICE inline float channel_ior(const Material& material, int channel) {
  constexpr float kHalfOver20 = 0.025f, kMinIor = 1.0001f;
  const float half = kHalfOver20 * (material.ior - 1.0f) * material.dispersion;
  return glm::max(material.ior + float(channel - 1) * half, kMinIor);
}

/// The channel to which a sample of a pixel is restricted: they take turns, from a random first
/// one.
SIMT_HOST_DEVICE inline int channel_of(const Sampler& sampler) {
  constexpr uint32_t kChannels = 3, kPurpose = 0x44495350;  // unlike that of other hashes
  const uint32_t first =
      pcg4d({uint32_t(sampler.seed), uint32_t(sampler.seed >> 32), sampler.pixel, kPurpose}).x;
  return int((first % kChannels + sampler.sample % kChannels) % kChannels);
}

/// Restricts a path to one channel and the surface to its index of refraction.
///
/// @param channel  of the path, unless it has only one already
SIMT_HOST_DEVICE inline void disperse(Material& material, glm::vec3& throughput, int channel) {
  constexpr float kChannels = 3.0f;
  const bool r = throughput.x != 0.0f, g = throughput.y != 0.0f, b = throughput.z != 0.0f;
  if (int(r) + int(g) + int(b) == 1)
    channel = r ? 0 : g ? 1 : 2;
  else
    throughput = kChannels * throughput * glm::vec3(channel == 0, channel == 1, channel == 2);
  material.ior = channel_ior(material, channel);
}

}  // namespace winnow
