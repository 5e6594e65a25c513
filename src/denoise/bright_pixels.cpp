// SPDX-License-Identifier: MIT
#include "denoise/bright_pixels.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

namespace winnow {
namespace {

constexpr float kMaxHalf = 65504.0f;
/// Pixels of a group that is noise: the footprint of a sample with a wide pixel filter.
constexpr size_t kMaxNoisePixels = 32;

bool has_nan(const glm::vec3& pixel) {
  return std::isnan(pixel.x) || std::isnan(pixel.y) || std::isnan(pixel.z);
}

/// Largest magnitude of a channel, without NaN.
float size_of(const glm::vec3& pixel) {
  return std::fmax(std::fmax(std::abs(pixel.x), std::abs(pixel.y)), std::abs(pixel.z));
}

/// Returns the median of the pixels that are finite and not black, of large images by a part of
/// them; 0 if there are none.
float median_size(const Image& image) {
  constexpr size_t kMaxSizes = 1 << 18;
  std::vector<float> sizes;
  for (size_t i = 0; i < image.pixels.size(); i += 1 + image.pixels.size() / kMaxSizes)
    if (const float size = size_of(image.pixels[i]); std::isfinite(size) && size > 0.0f)
      sizes.push_back(size);
  if (sizes.empty()) return 0.0f;
  const auto middle = sizes.begin() + std::ptrdiff_t(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

/// Calls visit(index) for the up to eight neighbours of a pixel.
template <class Visit>
void for_neighbours(const Image& image, size_t pixel, Visit visit) {
  const auto x = int64_t(pixel % image.width), y = int64_t(pixel / image.width);
  for (int64_t row = std::max<int64_t>(y - 1, 0); row <= std::min<int64_t>(y + 1, image.height - 1);
       ++row)
    for (int64_t column = std::max<int64_t>(x - 1, 0);
         column <= std::min<int64_t>(x + 1, image.width - 1); ++column)
      if (row != y || column != x) visit(size_t(row) * image.width + size_t(column));
}

/// Returns the groups of connected pixels that are at least as bright as `most`.
std::vector<std::vector<size_t>> groups_of(const Image& image, float most) {
  std::vector<std::vector<size_t>> groups;
  std::vector<bool> is_seen(image.pixels.size());
  auto is_new = [&](size_t pixel) {
    return !is_seen[pixel] && size_of(image.pixels[pixel]) >= most;
  };
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    if (!is_new(i)) continue;
    std::vector<size_t>& group = groups.emplace_back(1, i);
    is_seen[i] = true;
    for (size_t at = 0; at < group.size(); ++at)
      for_neighbours(image, group[at], [&](size_t neighbour) {
        if (!is_new(neighbour)) return;
        is_seen[neighbour] = true;
        group.push_back(neighbour);
      });
  }
  return groups;
}

/// Replaces pixels by the mean of usable neighbours, from the edge of a group inwards.
/// @param most  neighbours that are at least as bright are not usable
void fill(std::vector<size_t> pixels, float fallback, float most, Image& image) {
  constexpr int kMaxSteps = 64;  // what is farther inside has no effect on the edge
  for (int step = 0; step < kMaxSteps && !pixels.empty(); ++step) {
    std::vector<std::pair<size_t, glm::vec3>> filled;
    std::vector<size_t> left;
    for (const size_t pixel : pixels) {
      glm::vec3 sum(0.0f);
      int count = 0;
      for_neighbours(image, pixel, [&](size_t neighbour) {
        const glm::vec3& value = image.pixels[neighbour];
        if (size_of(value) >= most || has_nan(value)) return;
        sum += value;
        ++count;
      });
      if (count > 0)
        filled.emplace_back(pixel, sum / float(count));
      else
        left.push_back(pixel);
    }
    for (const auto& [pixel, value] : filled) image.pixels[pixel] = value;
    if (filled.empty()) break;
    pixels = std::move(left);
  }
  for (const size_t pixel : pixels) image.pixels[pixel] = glm::vec3(fallback);
}

}  // namespace

BrightPixels fill_bright_pixels(Image& image) {
  BrightPixels bright;
  const float median = median_size(image), most = kMaxHalf * std::max(median, 1.0f);
  std::vector<size_t> all;
  for (const std::vector<size_t>& group : groups_of(image, most)) {
    all.insert(all.end(), group.begin(), group.end());
    if (group.size() <= kMaxNoisePixels)
      bright.filled += group.size();
    else
      for (const size_t pixel : group) {
        const glm::vec3 value = image.pixels[pixel];
        bright.areas.emplace_back(
            pixel, std::isinf(size_of(value)) ? glm::clamp(value, -most, most) : value);
      }
  }
  fill(std::move(all), median, most, image);
  constexpr float kMaxContrast = 2000.0f;
  if (median > 0.0f)
    for (const std::vector<size_t>& group : groups_of(image, kMaxContrast * median))
      if (group.size() <= kMaxNoisePixels) bright.spots += group.size();
  return bright;
}

void restore_areas(const BrightPixels& bright, Image& image) {
  for (const auto& [pixel, value] : bright.areas) image.pixels[pixel] = value;
}

}  // namespace winnow
