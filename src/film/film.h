#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"
#include "film/first_hit.h"
#include "image/image.h"

namespace winnow {

/// Where samples are added up, on the device that renders. Each pixel has one writer at a time and
/// takes its samples in their order, so its bits do not depend on who renders it when.
struct Film {
  simt::Span<glm::dvec3> sum;    ///< [pixel], W sr^-1 m^-2, of all its samples
  simt::Span<uint32_t> samples;  ///< [pixel], how many

  // Where they are asked for; else empty.
  simt::Span<glm::dvec3> squares = {};      ///< [pixel], of the samples' radiance, summed
  simt::Span<glm::dvec3> removed = {};      ///< [pixel], what clamping took away, summed
  FirstHitFilm first_hits = {};             ///< what the samples saw
  simt::Span<uint32_t> death_bounces = {};  ///< [pixel], bounces before the end, summed
  simt::Span<uint32_t> deaths = {};         ///< [pixel][Death]
};

/// Variance of a pixel's mean, by how much its samples differ; 0 with fewer than two. Samples that
/// are spread evenly make a mean that varies less than this.
///
/// @param squares  of the samples, summed
inline glm::dvec3 variance_of_mean(const glm::dvec3& sum, const glm::dvec3& squares,
                                   uint32_t samples) {
  if (samples < 2) return glm::dvec3(0.0);
  const double n = samples;
  return glm::max(squares - sum * sum / n, glm::dvec3(0.0)) / ((n - 1.0) * n);
}

/// The mean of each pixel's samples; black where there are none.
///
/// @param film  in host memory, width * height pixels
Image mean_radiance(const Film& film, uint32_t width, uint32_t height);

}  // namespace winnow
