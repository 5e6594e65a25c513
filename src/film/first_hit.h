#pragma once

#include <cmath>
#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"

namespace winnow {

/// What one camera ray meets first.
struct FirstHit {
  glm::vec3 position{0.0f};  ///< m, world space
  float depth = INFINITY;    ///< m, along the camera's view direction

  // Numbers from 1; 0 is nothing.
  uint32_t material = 0;
  uint32_t primitive = 0;  ///< of all that are in the scene, those of each instance apart
  uint32_t instance = 0;   ///< 0 is also what belongs to none
};

/// What the camera rays of each pixel meet, where that is asked for; else empty.
struct FirstHitFilm {
  simt::Span<glm::dvec3> albedo;  ///< [pixel], share of light that goes on, summed over samples
  simt::Span<glm::dvec3> normal;  ///< [pixel], shading normals towards the camera, summed
  simt::Span<FirstHit> first;     ///< [pixel], of the pixel's first sample
};

}  // namespace winnow
