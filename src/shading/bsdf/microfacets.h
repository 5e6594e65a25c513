#pragma once

#include "shading/bsdf/beckmann.h"
#include "shading/bsdf/ggx.h"

namespace winnow {

/// The microfacets of a material, of either distribution.
struct Microfacets {
  MicrofacetDistribution type;
  float alpha_x, alpha_y;

  /// Density of microfacet normals, sr^-1 per projected area.
  SIMT_HOST_DEVICE float distribution(glm::vec3 h) const {
    return is_beckmann() ? beckmann().distribution(h) : ggx().distribution(h);
  }

  /// S(w), of which Smith's G1(w) is 2 cos / (cos + S).
  SIMT_HOST_DEVICE float stretch(glm::vec3 w) const {
    return is_beckmann() ? beckmann().stretch(w) : ggx().stretch(w);
  }

  /// Samples a microfacet normal with the density with which `wo`, above z = 0, sees them.
  SIMT_HOST_DEVICE glm::vec3 sample_visible(glm::vec3 wo, glm::vec2 u) const {
    return is_beckmann() ? beckmann().sample_visible(wo, u) : ggx().sample_visible(wo, u);
  }

 private:
  SIMT_HOST_DEVICE bool is_beckmann() const { return type == MicrofacetDistribution::kBeckmann; }
  SIMT_HOST_DEVICE Beckmann beckmann() const { return {alpha_x, alpha_y}; }
  SIMT_HOST_DEVICE Ggx ggx() const { return {alpha_x, alpha_y}; }
};

SIMT_HOST_DEVICE inline Microfacets make_microfacets(const Material& material) {
  const Ggx ggx = make_ggx(material);
  return {material.distribution, ggx.alpha_x, ggx.alpha_y};
}

}  // namespace winnow
