// SPDX-License-Identifier: MIT
#pragma once

#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "math/sampler.h"
#include "scene/material.h"

namespace winnow {

// Dispersion: glass refracts blue light more than red. At the first dispersive surface, a path is
// restricted to a single channel, with three times its throughput; from there on, only that channel
// of its throughput is not zero.

/// Returns the index of refraction for a channel.
///
/// Material::dispersion is 20 divided by the Abbe number (n - 1) / (nF - nC), where nF and nC are
/// the indices for the blue line F and the red line C of hydrogen. Half their difference is
/// (n - 1) dispersion / 40, as in KHR_materials_dispersion of glTF. Here n is the higher index over
/// the lower one, so that a boundary disperses alike whichever way its normal points.
SIMT_HOST_DEVICE inline float channel_ior(const Material& material, int channel) {
  constexpr float kHalfOver20 = 0.025f, kMinRatio = 1.0001f;
  const bool is_lower_inside = material.ior < 1.0f;
  const float ratio = is_lower_inside ? 1.0f / material.ior : material.ior;
  const float half = kHalfOver20 * (ratio - 1.0f) * material.dispersion;
  const float of_channel = glm::max(ratio + float(channel - 1) * half, kMinRatio);
  return is_lower_inside ? 1.0f / of_channel : of_channel;
}

/// Returns the channel to which a sample of a pixel is restricted. Samples take the channels in
/// turn, starting with a random one.
SIMT_HOST_DEVICE inline int channel_of(const Sampler& sampler) {
  constexpr uint32_t kChannels = 3, kPurpose = 0x44495350;  // distinguishes this hash from others
  const uint32_t first =
      pcg4d({uint32_t(sampler.seed), uint32_t(sampler.seed >> 32), sampler.pixel, kPurpose}).x;
  return int((first % kChannels + sampler.sample % kChannels) % kChannels);
}

/// Restricts a path to one channel and the surface to its index of refraction.
///
/// @param channel  channel for the path, unless it is already restricted to one
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
