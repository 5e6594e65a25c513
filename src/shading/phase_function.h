// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/constants.h"
#include "math/frame.h"
#include "math/sampling.h"

namespace winnow {

// Henyey & Greenstein, "Diffuse Radiation in the Galaxy", 1941. The formulas use |g| and 1 - cosine
// of the angle to the peak, which avoids cancellation for narrow peaks.

/// Returns the phase function in sr^-1, which integrates to 1 and is its own density.
///
/// @param strength       |g|
/// @param one_minus_cos  1 - cosine of the angle to the peak, [0, 2]
SIMT_HOST_DEVICE inline float phase_beside_peak(float strength, float one_minus_cos) {
  const float rest = 1.0f - strength;
  const float squared = rest * rest + 2.0f * strength * one_minus_cos;
  return kInvFourPi * rest * (1.0f + strength) / (squared * std::sqrt(squared));
}

/// Evaluates the phase function, sr^-1.
///
/// @param asymmetry  (-1, 1), mean cosine
/// @param cosine     cosine between the directions of travel before and after scattering
SIMT_HOST_DEVICE inline float eval_phase(float asymmetry, float cosine) {
  const float towards_peak = asymmetry < 0.0f ? -cosine : cosine;
  return phase_beside_peak(std::abs(asymmetry), glm::max(1.0f - towards_peak, 0.0f));
}

struct PhaseSample {
  glm::vec3 wi{0.0f};  ///< unit length
  float pdf = 0.0f;    ///< sr^-1
};

/// Samples the direction in which a path continues, with the density eval_phase().
///
/// @param direction  direction of travel before scattering, unit length
/// @param u          two independent uniforms in [0, 1)
SIMT_HOST_DEVICE inline PhaseSample sample_phase(float asymmetry, glm::vec3 direction,
                                                 glm::vec2 u) {
  const float strength = std::abs(asymmetry), rest = 1.0f - strength;
  const float root = rest + 2.0f * strength * (1.0f - u.x);
  const float one_minus_cos =
      2.0f * rest * rest * u.x * (1.0f + strength * (1.0f - u.x)) / (root * root);
  const float sine = std::sqrt(glm::max(one_minus_cos * (2.0f - one_minus_cos), 0.0f));
  const float cosine = asymmetry < 0.0f ? one_minus_cos - 1.0f : 1.0f - one_minus_cos;
  const glm::vec3 local{sine * unit_circle(u.y), cosine};
  return {glm::normalize(Frame(direction).to_world(local)),
          phase_beside_peak(strength, one_minus_cos)};
}

}  // namespace winnow
