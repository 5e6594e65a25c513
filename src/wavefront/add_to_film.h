#pragma once

#include "film/film.h"
#include "wavefront/paths.h"
#include "wavefront/wave.h"

namespace winnow {

/// Adds the samples of one pixel of the wave to the film, in their order.
///
/// reads  radiance    writes  film
struct AddToFilm {
  static constexpr Stage kStage = Stage::kFilm;

  Wave wave;
  Paths paths;
  Film film;

  /// @param i  pixel of the wave, [0, wave.pixel_count)
  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    uint32_t pixel = wave.pixel_of(i);
    glm::dvec3 sum = film.sum[pixel];
    for (uint32_t sample = 0; sample < wave.sample_count; ++sample)
      sum += glm::dvec3(paths.radiance[sample * wave.pixel_count + i]);
    film.sum[pixel] = sum;
    film.samples[pixel] += wave.sample_count;
  }
};

}  // namespace winnow
