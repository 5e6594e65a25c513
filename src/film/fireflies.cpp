// SPDX-License-Identifier: MIT
#include "film/fireflies.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <glm/common.hpp>
#include <utility>
#include <vector>

#include "math/sampling.h"

namespace winnow {
namespace {

constexpr uint32_t kCount = kBrightnessLayerCount;

struct PixelRow {
  const glm::vec3* layers;  ///< [pixel][layer]
  const uint32_t* samples;  ///< [pixel]
};

/// A band of a film and its two neighbours, which are empty at the borders of the image.
struct BandWindow {
  HostFilm above, here, below;

  /// Returns the rows y - 1, y and y + 1 of `here` as far as they exist.
  std::vector<PixelRow> rows_around(uint32_t y) const {
    std::vector<PixelRow> rows;
    auto add = [&](const HostFilm& film, uint32_t row) {
      const size_t first = size_t(row) * film.width;
      rows.push_back({film.layers.data() + first * kCount, film.samples.data() + first});
    };
    if (y > 0)
      add(here, y - 1);
    else if (above.height > 0)
      add(above, above.height - 1);
    add(here, y);
    if (y + 1 < here.height)
      add(here, y + 1);
    else if (below.height > 0)
      add(below, 0);
    return rows;
  }
};

Neighbourhood neighbourhood_of(const std::vector<PixelRow>& rows, uint32_t x, uint32_t width) {
  static const std::array<float, kCount> kBrightness = [] {
    std::array<float, kCount> brightness;
    for (uint32_t layer = 0; layer < kCount; ++layer)
      brightness[layer] = brightness_of_layer(layer);
    return brightness;
  }();
  Neighbourhood around;
  const uint32_t first = x > 0 ? x - 1 : 0, end = std::min(x + 2, width);
  for (const PixelRow& row : rows)
    for (uint32_t pixel = first; pixel < end; ++pixel) {
      if (row.samples[pixel] == 0) continue;
      around.samples += row.samples[pixel];
      ++around.pixels;
      const glm::vec3* layers = row.layers + size_t(pixel) * kCount;
      for (uint32_t layer = 0; layer < kCount; ++layer)
        around.counts[layer] += double(luminance(layers[layer]) / kBrightness[layer]);
    }
  return around;
}

/// Returns the reweighted mean of a pixel with samples.
glm::vec3 reweighted_pixel(const HostFilm& film, size_t pixel, const Neighbourhood& around) {
  const std::array<double, kCount> weights = layer_weights(around);
  const glm::vec3* layers = &film.layers[pixel * kCount];
  glm::dvec3 sum = film.sum[pixel];
  for (uint32_t layer = 0; layer < kCount; ++layer)
    if (weights[layer] < 1.0) sum -= (1.0 - weights[layer]) * glm::dvec3(layers[layer]);
  // Layers are sums in float, so rounding may make the remaining sum negative.
  if (sum != film.sum[pixel]) sum = glm::max(sum, glm::dvec3(0.0));
  return glm::vec3(sum / double(film.samples[pixel]));
}

}  // namespace

std::array<double, kBrightnessLayerCount> layer_weights(const Neighbourhood& around) {
  const double needed = std::min(kReliableCount * around.pixels / kNeighbourhoodPixels,
                                 kReliableShare * double(around.samples));
  std::array<double, kCount> weights;
  weights.fill(1.0);
  for (uint32_t layer = 1; layer < kCount; ++layer) {
    const double brighter = layer + 1 < kCount ? around.counts[layer + 1] : 0.0;
    const double near = around.counts[layer - 1] + around.counts[layer] + brighter;
    if (near < needed) weights[layer] = near / needed;
  }
  return weights;
}

Image reweighted_radiance(const FilmSource& film) {
  const FilmShape shape = film.shape();
  const std::vector<TileRows> bands = bands_of(film);
  Image image{shape.width, shape.height,
              std::vector<glm::vec3>(size_t(shape.width) * shape.height)};
  auto read = [&](size_t band) {
    if (band >= bands.size()) return HostFilm{};
    return read_rows(film, {FilmArray::kSum, FilmArray::kSamples, FilmArray::kLayers}, bands[band]);
  };
  BandWindow window{.above = {}, .here = read(0), .below = {}};
  glm::vec3* first = image.pixels.data();
  for (size_t band = 0; band < bands.size(); ++band) {
    window.below = read(band + 1);
    const HostFilm& here = window.here;
    oneapi::tbb::parallel_for(0u, here.height, [&, first](uint32_t y) {
      const std::vector<PixelRow> rows = window.rows_around(y);
      for (uint32_t x = 0; x < here.width; ++x) {
        const size_t pixel = size_t(y) * here.width + x;
        if (here.samples[pixel] > 0)
          first[pixel] = reweighted_pixel(here, pixel, neighbourhood_of(rows, x, here.width));
      }
    });
    first += size_t(here.width) * here.height;
    window.above = std::exchange(window.here, std::move(window.below));
  }
  return image;
}

}  // namespace winnow
