// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "compaction/simt/span.h"
#include "film/brightness_layers.h"
#include "film/termination.h"

namespace winnow {

struct Image;

struct FirstHit {
  glm::vec3 position{0.0f};  ///< m, world space
  float depth = INFINITY;    ///< m, along the camera's view direction

  // Ids count from 1; 0 means that the ray hit nothing.
  uint32_t material = 0;
  uint32_t primitive = 0;  ///< id in the whole scene; each instance has its own primitives
  uint32_t instance = 0;   ///< 0 also for a primitive that belongs to no instance
};

/// Time that the steps of paths took: clock cycles on a GPU, ns on a CPU.
struct StepCosts {
  uint64_t traversal = 0;  ///< rays and shadow rays, free flights in media
  uint64_t shading = 0;
};
/// Bounces whose costs a film keeps apart. The last of them includes all later ones.
inline constexpr uint32_t kCostBounces = 8;

/// Arrays in which samples are summed. Each pixel has one writer at a time, which adds its samples
/// in their order, so the bits of a film do not depend on the schedule.
/// @tparam Array  simt::Span or std::vector
template <template <class> class Array>
struct FilmArrays {
  uint32_t width = 0;   ///< pixels
  uint32_t height = 0;  ///< pixels

  Array<glm::dvec3> sum = {};    ///< [pixel], sum of the samples' radiance, W sr^-1 m^-2
  Array<uint32_t> samples = {};  ///< [pixel], number of samples

  // Optional arrays, see FilmFeatures; empty if unused.
  Array<glm::dvec3> squares = {};   ///< [pixel], sum of the squares of the samples' radiance
  Array<glm::dvec3> removed = {};   ///< [pixel], sum of the radiance that clamping removed
  Array<glm::dvec3> albedo = {};    ///< [pixel], sum over samples of the albedo at the first hit
  Array<glm::dvec3> normal = {};    ///< [pixel], sum over samples of the shading normal at the
                                    ///< first hit, facing the camera
  Array<FirstHit> first_hits = {};  ///< [pixel], first hit of the pixel's first sample
  Array<uint32_t> termination_bounces = {};  ///< [pixel], sum of the bounces at which paths ended
  Array<uint32_t> terminations =
      {};                        ///< [pixel][Termination], number of paths by cause of their end
  Array<glm::vec3> layers = {};  ///< [pixel][layer], sum of the samples' radiance by brightness,
                                 ///< W sr^-1 m^-2; see brightness_layers.h
  Array<glm::dvec4> background = {};  ///< [pixel], sum of the radiance of camera rays that left the
                                      ///< scene, W sr^-1 m^-2, and their number
  Array<StepCosts> cost = {};         ///< [pixel][bounce], sum over the samples. A measurement: it
                                      ///< differs from run to run
};

/// Optional arrays of a film.
struct FilmFeatures {
  bool squares = false;
  bool removed = false;
  bool first_hits = false;    ///< first_hits, albedo and normal
  bool terminations = false;  ///< terminations and termination_bounces
  bool layers = false;
  bool background = false;
  bool cost = false;
  bool operator==(const FilmFeatures&) const = default;
};

/// Arrays of a film by name, in their order in film files.
enum class FilmArray {
  kSum,
  kSamples,
  kSquares,
  kRemoved,
  kAlbedo,
  kNormal,
  kFirstHits,
  kTerminationBounces,
  kTerminations,
  kLayers,
  kBackground,
  kCost
};

/// Calls use(name, items_per_pixel, array...) for each array of films with these features;
/// `array...` is that array in each of `films`.
template <class Use, class... Films>
void for_each_field(const FilmFeatures& features, Use use, Films&... films) {
  using enum FilmArray;
  use(kSum, 1, films.sum...);
  use(kSamples, 1, films.samples...);
  if (features.squares) use(kSquares, 1, films.squares...);
  if (features.removed) use(kRemoved, 1, films.removed...);
  if (features.first_hits) {
    use(kAlbedo, 1, films.albedo...);
    use(kNormal, 1, films.normal...);
    use(kFirstHits, 1, films.first_hits...);
  }
  if (features.terminations) {
    use(kTerminationBounces, 1, films.termination_bounces...);
    use(kTerminations, kTerminationCount, films.terminations...);
  }
  if (features.layers) use(kLayers, kBrightnessLayerCount, films.layers...);
  if (features.background) use(kBackground, 1, films.background...);
  if (features.cost) use(kCost, kCostBounces, films.cost...);
}

/// Returns the arrays of a film with these features, in the order of for_each_field().
std::vector<FilmArray> arrays_of(const FilmFeatures& features);

/// A film in the memory of the device that renders.
using Film = FilmArrays<simt::Span>;

template <class T>
using FilmVector = std::vector<T>;
using HostFilm = FilmArrays<FilmVector>;

/// Returns a black film without samples.
HostFilm make_host_film(uint32_t width, uint32_t height, const FilmFeatures& features);

/// Returns spans of the arrays of a film in host memory, to which samples can be added.
Film view_of(HostFilm& film);

/// Returns the bytes per pixel of a film with these features.
size_t film_bytes_per_pixel(const FilmFeatures& features);

/// One array of a film, as bytes.
struct FilmField {
  std::byte* data = nullptr;
  size_t bytes_per_pixel = 0;
};

/// Returns the arrays of a film with these features, in the order of for_each_field(): `sum` is the
/// first one and `samples` the second.
/// @param film  may be empty; the fields then have no data
std::vector<FilmField> fields_of(const FilmFeatures& features, const Film& film);
inline constexpr size_t kSumField = 0, kSamplesField = 1;

/// Returns the mean of each pixel's samples; black for pixels without samples.
Image mean_radiance(const HostFilm& film);

/// Returns the variance of a pixel's mean, estimated from the variance of its samples; 0 for fewer
/// than two. The mean of stratified samples varies less.
/// @param squares  sum of the squares of the samples
inline glm::dvec3 variance_of_mean(const glm::dvec3& sum, const glm::dvec3& squares,
                                   uint32_t samples) {
  if (samples < 2) return glm::dvec3(0.0);
  const double n = samples;
  return glm::max(squares - sum * sum / n, glm::dvec3(0.0)) / ((n - 1.0) * n);
}

/// Returns what covers each pixel, multiplied by its coverage: the mean of its samples without the
/// light of camera rays that left the scene. `alpha` is the share of the other camera rays. Pixels
/// without samples are black and transparent.
/// @param film  with FilmFeatures::background
Image mean_foreground(const HostFilm& film);

/// Returns the share of all light that clamping removed, [0, 1], from the means of the pixels; 0
/// for a film without FilmFeatures::removed.
double removed_share(const HostFilm& film);

}  // namespace winnow
