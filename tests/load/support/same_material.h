// SPDX-License-Identifier: MIT
#pragma once

#include "scene/material.h"

namespace winnow {

/// True if all values of two materials are equal. Their textures are not compared.
inline bool are_same(const Material& a, const Material& b) {
  return a.type == b.type && a.reflectance == b.reflectance && a.emission == b.emission &&
         a.roughness == b.roughness && a.ior == b.ior && a.anisotropy == b.anisotropy &&
         a.specular == b.specular && a.metallic == b.metallic && a.transmission == b.transmission &&
         a.coat == b.coat && a.coat_roughness == b.coat_roughness && a.sheen == b.sheen &&
         a.sheen_roughness == b.sheen_roughness && a.metal_n == b.metal_n &&
         a.metal_k == b.metal_k && a.masking == b.masking && a.distribution == b.distribution &&
         a.nonlinear == b.nonlinear && a.two_sided_emission == b.two_sided_emission &&
         a.black_back == b.black_back && a.bounds_media == b.bounds_media && a.alpha == b.alpha &&
         a.alpha_cutoff == b.alpha_cutoff && a.normal_scale == b.normal_scale &&
         a.normal_mapping == b.normal_mapping && a.anisotropy_rotation == b.anisotropy_rotation &&
         a.iridescence == b.iridescence && a.iridescence_ior == b.iridescence_ior &&
         a.film_thickness == b.film_thickness && a.dispersion == b.dispersion && a.thin == b.thin &&
         a.specular_tint == b.specular_tint && a.diffuse_transmission == b.diffuse_transmission &&
         a.diffuse_transmission_color == b.diffuse_transmission_color;
}

}  // namespace winnow
