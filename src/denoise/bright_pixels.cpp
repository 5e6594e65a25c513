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

/// Returns the median of the pixels that are finite; 0 if there are none.
float median_size(const Image& image) {
  std::vector<float> sizes;
  for (const glm::vec3& pixel : image.pixels)
    if (std::isfinite(size_of(pixel))) sizes.push_back(size_of(pixel));
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

enum class Pixel : uint8_t { kUsable, kBright, kSeen };

/// Returns the pixels that are connected with a bright one, and marks them as seen.
std::vector<size_t> group_of(const Image& image, size_t first, std::vector<Pixel>& state) {
  std::vector<size_t> group = {first};
  state[first] = Pixel::kSeen;
  for (size_t at = 0; at < group.size(); ++at)
    for_neighbours(image, group[at], [&](size_t neighbour) {
      if (state[neighbour] != Pixel::kBright) return;
      state[neighbour] = Pixel::kSeen;
      group.push_back(neighbour);
    });
  return group;
}

/// Replaces pixels by the mean of usable neighbours, from the edge of a group inwards.
void fill(std::vector<size_t> pixels, float fallback, Image& image, std::vector<Pixel>& state) {
  constexpr int kMaxSteps = 64;  // what is farther inside has no effect on the edge
  for (int step = 0; step < kMaxSteps && !pixels.empty(); ++step) {
    std::vector<std::pair<size_t, glm::vec3>> filled;
    std::vector<size_t> left;
    for (const size_t pixel : pixels) {
      glm::vec3 sum(0.0f);
      int count = 0;
      for_neighbours(image, pixel, [&](size_t neighbour) {
        if (state[neighbour] != Pixel::kUsable || has_nan(image.pixels[neighbour])) return;
        sum += image.pixels[neighbour];
        ++count;
      });
      if (count > 0)
        filled.emplace_back(pixel, sum / float(count));
      else
        left.push_back(pixel);
    }
    for (const auto& [pixel, value] : filled) {
      image.pixels[pixel] = value;
      state[pixel] = Pixel::kUsable;
    }
    if (filled.empty()) break;
    pixels = std::move(left);
  }
  for (const size_t pixel : pixels) image.pixels[pixel] = glm::vec3(fallback);
}

}  // namespace

BrightPixels fill_bright_pixels(Image& image) {
  const auto is_bright = [](float most) {
    return [most](const glm::vec3& pixel) { return size_of(pixel) >= most; };
  };
  BrightPixels bright;
  if (std::ranges::none_of(image.pixels, is_bright(kMaxHalf))) return bright;
  const float median = median_size(image), most = kMaxHalf * std::max(median, 1.0f);
  std::vector<Pixel> state(image.pixels.size(), Pixel::kUsable);
  for (size_t i = 0; i < state.size(); ++i)
    if (is_bright(most)(image.pixels[i])) state[i] = Pixel::kBright;
  std::vector<size_t> all;
  for (size_t i = 0; i < state.size(); ++i) {
    if (state[i] != Pixel::kBright) continue;
    const std::vector<size_t> group = group_of(image, i, state);
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
  fill(std::move(all), median, image, state);
  return bright;
}

void restore_areas(const BrightPixels& bright, Image& image) {
  for (const auto& [pixel, value] : bright.areas) image.pixels[pixel] = value;
}

}  // namespace winnow
