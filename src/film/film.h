#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "compaction/simt/span.h"
#include "film/image.h"

namespace winnow {

/// Where samples are added up, on the device that renders. Each pixel has one writer at a time and
/// takes its samples in their order, so its bits do not depend on who renders it when.
struct Film {
  simt::Span<glm::dvec3> sum;    ///< [pixel], W sr^-1 m^-2, of all its samples
  simt::Span<uint32_t> samples;  ///< [pixel], how many

  // How the samples ended, where that is asked for; else empty.
  simt::Span<uint32_t> death_bounces = {};  ///< [pixel], bounces before the end, summed
  simt::Span<uint32_t> deaths = {};         ///< [pixel][Death]
};

/// The mean of each pixel's samples; black where there are none.
///
/// @param film  in host memory, width * height pixels
Image mean_radiance(const Film& film, uint32_t width, uint32_t height);

}  // namespace winnow
