// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>

#include "film/brightness_layers.h"
#include "film/film.h"
#include "math/sampling.h"
#include "wavefront/state/aggregated_atomics.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Returns light of the same colour whose brightest channel is at most `most`.
SIMT_HOST_DEVICE inline glm::vec3 clamped(glm::vec3 light, float most) {
  const float brightest = std::fmax(light.x, std::fmax(light.y, light.z));
  return brightest > most ? light * (most / brightest) : light;
}

/// Adds the samples of one pixel of the wave to the film, in their order, and counts why their
/// paths ended.
///
/// reads  result    writes  film
struct AddToFilm {
  static constexpr Stage kStage = Stage::kFilm;

  /// Terminations at the first bounces, [bounce][Termination], counted by one block in shared
  /// memory.
  struct Tally {
    static constexpr uint32_t kBounces = 32;
    static constexpr uint32_t kSize = kBounces * kTerminationCount;
    uint32_t counts[kSize];
  };

  const WaveState* state;
  Span<const PathResult> results;  ///< [path]
  Film film;
  Span<BounceTotals> totals;            ///< [bounce]
  Span<const glm::vec3> indirect = {};  ///< [path] or empty, see Paths
  float max_indirect = INFINITY;        ///< W sr^-1 m^-2, maximum indirect light in any channel of
                                        ///< a sample

  /// @param i  pixel of the wave, [0, wave.pixel_count)
  SIMT_HOST_DEVICE void operator()(uint32_t i, Tally& tally) const {
    const Wave& wave = state->wave;
    const uint32_t pixel = wave.pixel_of(i);
    glm::dvec3 sum = film.sum[pixel], squares(0.0);
    if (film.squares.data) squares = film.squares[pixel];
    for (uint32_t sample = 0; sample < wave.sample_count; ++sample) {
      const uint32_t path = sample * wave.pixel_count + i;
      PathResult result = results[path];
      if (indirect.data) result.radiance += clamped_indirect(pixel, indirect[path]);
      sum += glm::dvec3(result.radiance);
      if (film.squares.data) squares += glm::dvec3(result.radiance) * glm::dvec3(result.radiance);
      count_termination(pixel, result.termination, tally);
    }
    film.sum[pixel] = sum;
    if (film.squares.data) film.squares[pixel] = squares;
    film.samples[pixel] += wave.sample_count;
  }

  SIMT_HOST_DEVICE void add_tally(const Tally& tally, uint32_t k) const {
    if (tally.counts[k] > 0)
      simt::add_relaxed(totals[k / kTerminationCount].terminations[k % kTerminationCount],
                        tally.counts[k]);
  }

 private:
  /// Returns the clamped indirect light of a sample. Adds the removed light to the film.
  SIMT_HOST_DEVICE glm::vec3 clamped_indirect(uint32_t pixel, glm::vec3 light) const {
    const glm::vec3 kept = clamped(light, max_indirect);
    if (kept != light) film.removed[pixel] += glm::dvec3(light) - glm::dvec3(kept);
    return kept;
  }

  SIMT_HOST_DEVICE void count_termination(uint32_t pixel, TerminationRecord termination,
                                          Tally& tally) const {
    const uint32_t bounce = termination.bounce(), cause = uint32_t(termination.cause());
    if (bounce < Tally::kBounces)
      add_one_aggregated(tally.counts[bounce * kTerminationCount + cause]);
    else
      add_one_aggregated(totals[bounce].terminations[cause]);
    if (film.termination_bounces.data) {
      film.termination_bounces[pixel] += bounce;
      ++film.terminations[pixel * kTerminationCount + cause];
    }
  }
};

/// Adds the samples of one pixel of the wave whose camera rays left the scene to the film's
/// background, in their order. A separate stage, so that other renders do not pay for it.
///
/// reads  result    writes  film
struct AddToBackground {
  static constexpr Stage kStage = Stage::kFilm;
  static constexpr bool kContinuesStage = true;
  static constexpr bool kUniformCost = true;

  const WaveState* state;
  Span<const PathResult> results;  ///< [path]
  Film film;

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const Wave& wave = state->wave;
    glm::dvec4& background = film.background[wave.pixel_of(i)];
    for (uint32_t sample = 0; sample < wave.sample_count; ++sample) {
      const PathResult result = results[sample * wave.pixel_count + i];
      if (result.termination.bits == TerminationRecord::of(Termination::kEscaped, 0).bits)
        background += glm::dvec4(glm::dvec3(result.radiance), 1.0);
    }
  }
};

/// Adds the samples of one pixel of the wave to the film's brightness layers, in their order.
/// A separate stage, so that renders without layers do not pay for it.
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
