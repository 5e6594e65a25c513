// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>

#include "scene/host_scene.h"

namespace winnow {

// Boundaries between substances of different index of refraction.

// Range of Material::ior.
inline constexpr float kMaxIor = kInfiniteIor, kMinIor = 1.0f / kMaxIor;

/// Returns the reflectance at normal incidence for an index of refraction.
float reflectance_of_ior(float ior);

/// Inverts reflectance_of_ior() for reflectances up to the 0.99 to which Cycles limits them.
float ior_of_reflectance(float reflectance);

/// Returns whether light is refracted where it passes a surface, so that it matters which side of
/// the surface is inside.
bool refracts(const Material& material);

/// Returns the material with which a surface scatters as before if its normal is reversed: inside
/// and outside change places. Returns nothing for principled surfaces that transmit, which have
/// layers on the outside only, for lights that emit to one side, and for black backs.
std::optional<Material> reversed(const Material& material);

/// Adds reversed() materials to a scene, each once.
class ReversedMaterials {
 public:
  explicit ReversedMaterials(HostScene& scene) : scene_(scene) {}

  /// Returns the index of the reversed material, or nothing if there is none.
  std::optional<uint32_t> of(uint32_t material);

 private:
  HostScene& scene_;
  std::map<uint32_t, std::optional<uint32_t>> known_;
};

}  // namespace winnow
