#pragma once

#include <glm/vec3.hpp>

namespace winnow {

// In shading/, directions are local: z is the shading normal, which is never flipped towards `wo`.
// Both `wo` and `wi` point away from the surface.

/// What a BSDF says of two directions.
struct BsdfValue {
  glm::vec3 f{0.0f};  ///< sr^-1, without the cosine; 0 for mirrors and smooth glass
  float pdf = 0.0f;   ///< sr^-1, with which sampling finds `wi`
};

/// A direction in which a path goes on.
struct BsdfSample {
  glm::vec3 wi{0.0f};
  glm::vec3 weight{0.0f};  ///< f |cos| / pdf; zero: the path ends
  float pdf = 0.0f;        ///< sr^-1; 0 marks a direction without a density (mirror, glass)
  float eta_scale = 1.0f;  ///< by refraction: squared index behind the boundary over that before it
};

}  // namespace winnow
