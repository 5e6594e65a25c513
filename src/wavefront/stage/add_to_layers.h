// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "film/brightness_layers.h"
#include "film/film.h"
#include "math/sampling.h"
#include "wavefront/stage/add_to_film.h"

namespace winnow {

/// Adds the samples of one pixel of the wave to the brightness layers of the film, in their order,
/// as AddToFilm adds them to their sum. A separate stage, so that renders without layers do not pay
/// for it.
///
/// reads  result    writes  film
struct AddToLayers {
  static constexpr Stage kStage = Stage::kFilm;
  static constexpr bool kContinuesStage = true;
  static constexpr bool kUniformCost = true;

  const WaveState* state;
  Span<const PathResult> results;  ///< [path]
  Film film;
  Span<const glm::vec3> indirect = {};  ///< [path] or empty, see Paths
  float max_indirect = INFINITY;        ///< W sr^-1 m^-2, as in AddToFilm

  /// @param i  pixel of the wave, [0, wave.pixel_count)
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Wave& wave = state->wave;
    glm::vec3* layers = &film.layers[size_t(wave.pixel_of(i)) * kBrightnessLayerCount];
    for (uint32_t sample = 0; sample < wave.sample_count; ++sample) {
      const uint32_t path = sample * wave.pixel_count + i;
      glm::vec3 radiance = results[path].radiance;
      if (indirect.data) radiance += clamped(indirect[path], max_indirect);
      const LayerSplit split = split_by_brightness(luminance(radiance));
      const glm::vec3 darker = split.share * radiance;
      layers[split.layer] += darker;
      if (split.share < 1.0f) layers[split.layer + 1] += radiance - darker;
    }
  }
};

}  // namespace winnow
