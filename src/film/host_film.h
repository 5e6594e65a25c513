#pragma once

#include <vector>

#include "film/film.h"

namespace winnow {

/// A film in host memory. See Film for what its arrays hold; those that were not asked for are
/// empty.
struct HostFilm {
  uint32_t width = 0;   ///< pixels
  uint32_t height = 0;  ///< pixels
  std::vector<glm::dvec3> sum = {}, squares = {}, removed = {};
  std::vector<uint32_t> samples = {}, death_bounces = {}, deaths = {};
  std::vector<glm::dvec3> albedo = {}, normal = {};
  std::vector<FirstHit> first_hits = {};

  /// The arrays for those who add to them.
  Film view() {
    auto span = []<class T>(std::vector<T>& items) {
      return simt::Span<T>{items.data(), items.size()};
    };
    return {.sum = span(sum),
            .samples = span(samples),
            .squares = span(squares),
            .removed = span(removed),
            .first_hits = {span(albedo), span(normal), span(first_hits)},
            .death_bounces = span(death_bounces),
            .deaths = span(deaths)};
  }
};

/// Share of all light that clamping took away, [0, 1], as means of the pixels; 0 where none is
/// clamped.
double removed_share(const HostFilm& film);

}  // namespace winnow
