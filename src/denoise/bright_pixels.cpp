// SPDX-License-Identifier: MIT
#include "denoise/bright_pixels.h"

#include <fmt/format.h>

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

/// Largest channel, without NaN.
float brightness_of(const glm::vec3& pixel) {
  return std::fmax(std::fmax(pixel.x, pixel.y), pixel.z);
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

/// Returns the groups of connected pixels of which `measure` is at least `most`.
std::vector<std::vector<size_t>> groups_of(const Image& image, float (*measure)(const glm::vec3&),
                                           float most) {
  std::vector<std::vector<size_t>> groups;
  std::vector<bool> is_seen(image.pixels.size());
  auto is_new = [&](size_t pixel) {
    return !is_seen[pixel] && measure(image.pixels[pixel]) >= most;
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

/// Fills or hides groups of a few pixels that outshine the image. Single ones are noise, which the
/// library removes as well, but from about this contrast on it spreads their light. It keeps areas.
void fill_spots(float median, Image& image, BrightPixels& bright) {
  constexpr float kMaxContrast = 500.0f;
  constexpr size_t kMinOutliers = 16, kPixelsPerOutlier = 1000;
  const float most = kMaxContrast * median;
  if (!(most > 0.0f)) return;
  std::vector<std::vector<size_t>> groups = groups_of(image, brightness_of, most);
  std::erase_if(groups, [](const auto& group) { return group.size() > kMaxNoisePixels; });
  if (groups.size() > std::max(kMinOutliers, image.pixels.size() / kPixelsPerOutlier)) {
    for (const std::vector<size_t>& group : groups) bright.left += group.size();
    return;
  }
  std::vector<size_t> all;
  for (const std::vector<size_t>& group : groups) {
    all.insert(all.end(), group.begin(), group.end());
    if (group.size() == 1)
      ++bright.spots;
    else
      for (const size_t pixel : group) bright.areas.emplace_back(pixel, image.pixels[pixel]);
  }
  fill(std::move(all), median, most, image);
}

}  // namespace

BrightPixels fill_bright_pixels(Image& image) {
  BrightPixels bright;
  const float median = median_size(image), most = kMaxHalf * std::max(median, 1.0f);
  std::vector<size_t> all;
  for (const std::vector<size_t>& group : groups_of(image, size_of, most)) {
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
  fill_spots(median, image, bright);
  return bright;
}

std::vector<std::string> bright_pixel_warnings(const std::vector<BrightPixels>& pictures) {
  size_t filled = 0, kept = 0, spots = 0, left = 0;
  for (const BrightPixels& picture : pictures) {
    filled += picture.filled;
    kept += picture.areas.size();
    spots += picture.spots;
    left += picture.left;
  }
  std::vector<std::string> warnings;
  auto warn = [&](size_t count, const char* what) {
    if (count > 0) warnings.push_back(fmt::format("{} {}", count, what));
  };
  warn(filled, "pixels are infinite or at least 65504; they get the colour of their neighbours");
  warn(kept,
       "pixels of bright areas are hidden from the denoiser, which would spread their light; they "
       "keep their noise");
  warn(spots,
       "single pixels are over 500 times as bright as the median; they get the colour of their "
       "neighbours");
  warn(left,
       "bright pixels may spread over the image; --clamp-indirect or --fireflies prevents them at "
       "rendering");
  return warnings;
}

void restore_areas(const BrightPixels& bright, Image& image) {
  for (const auto& [pixel, value] : bright.areas) image.pixels[pixel] = value;
}

}  // namespace winnow
