// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

namespace winnow {

// Directions in shading/bsdf/ are local: z is along the shading normal, which is never flipped
// towards `wo`. Both `wo` and `wi` point away from the surface and have unit length.

/// A BSDF's value and sampling density for a pair of directions.
struct BsdfValue {
  glm::vec3 f{0.0f};  ///< sr^-1, without the cosine; 0 for specular reflection and transmission
  float pdf = 0.0f;   ///< sr^-1, density with which the BSDF samples `wi`
};

struct BsdfSample {
  glm::vec3 wi{0.0f};
  glm::vec3 weight{0.0f};  ///< f |cos| / pdf; zero where there is no sample
  float pdf = 0.0f;        ///< sr^-1; 0 marks a specular direction, which has no density
  float eta_scale = 1.0f;  ///< after refraction: squared index on the side of `wi` over that on the
                           ///< side of `wo`
};

/// A BSDF evaluated for one pair of directions, and sampled for the same `wo`.
struct BsdfScattering {
  BsdfValue value;
  BsdfSample sample;
};

}  // namespace winnow
