// SPDX-License-Identifier: MIT
#include "denoise/denoise_covered.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

namespace winnow {
namespace {

/// A rectangle of an image; `x` and `y` are its left column and its top row.
struct PixelBox {
  uint32_t x = 0, y = 0, width = 0, height = 0;
};

/// Returns the box of the pixels that are covered or not black, with a margin for the denoiser; it
/// is empty if there are none. Denoising takes as long as the box has pixels.
PixelBox box_to_denoise(const Image& image) {
  constexpr uint32_t kMargin = 16;
  uint32_t left = image.width, top = image.height, right = 0, bottom = 0;
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) {
      const size_t pixel = size_t{y} * image.width + x;
      if (image.alpha[pixel] == 0.0f && image.pixels[pixel] == glm::vec3(0.0f)) continue;
      left = std::min(left, x), right = std::max(right, x + 1);
      top = std::min(top, y), bottom = std::max(bottom, y + 1);
    }
  if (right == 0) return {};
  left -= std::min(left, kMargin), right = std::min(right + kMargin, image.width);
  top -= std::min(top, kMargin), bottom = std::min(bottom + kMargin, image.height);
  return {left, top, right - left, bottom - top};
}

/// Returns the part of an array of pixels in a box. An empty array stays empty.
template <class T>
std::vector<T> part_of(const std::vector<T>& values, uint32_t width, const PixelBox& box) {
  std::vector<T> part;
  if (values.empty()) return part;
  for (uint32_t y = box.y; y < box.y + box.height; ++y) {
    const auto row = values.begin() + ptrdiff_t(size_t{y} * width + box.x);
    part.insert(part.end(), row, row + box.width);
  }
  return part;
}

Image part_of(const Image& image, const PixelBox& box) {
  if (image.pixels.empty()) return {};
  return {box.width, box.height, part_of(image.pixels, image.width, box),
          part_of(image.alpha, image.width, box)};
}

/// Returns the share of a pixel that its background shows through.
float background_share(float alpha) {
  return alpha >= 0.0f ? 1.0f - std::min(alpha, 1.0f) : 1.0f;
}

/// A level of a pyramid: colours multiplied by their weights, with the weights, [0, 1].
struct Level {
  uint32_t width = 0, height = 0;
  std::vector<glm::vec4> cells;  ///< [height][width]
};

/// Returns a level of half the size. Cells add up, to weights of at most 1.
Level half_of(const Level& full) {
  Level half{(full.width + 1) / 2, (full.height + 1) / 2, {}};
  half.cells.resize(size_t{half.width} * half.height, glm::vec4(0.0f));
  for (uint32_t y = 0; y < full.height; ++y)
    for (uint32_t x = 0; x < full.width; ++x)
      half.cells[size_t{y / 2} * half.width + x / 2] += full.cells[size_t{y} * full.width + x];
  for (glm::vec4& cell : half.cells) cell /= std::max(cell.w, 1.0f);
  return half;
}

/// Returns the colour of a level, interpolated at the centre of a cell of the level below it.
glm::vec4 cell_above(const Level& level, uint32_t x, uint32_t y) {
  auto next_to = [](uint32_t at, uint32_t size) {
    return at % 2 == 1 ? std::min(at / 2 + 1, size - 1) : at / 2 - std::min(at / 2, 1u);
  };
  auto row = [&](uint32_t at) {
    const glm::vec4* cells = &level.cells[size_t{at} * level.width];
    return 0.75f * cells[x / 2] + 0.25f * cells[next_to(x, level.width)];
  };
  return 0.75f * row(y / 2) + 0.25f * row(next_to(y, level.height));
}

/// Returns a background of the colours of the nearest covered pixels, by a pyramid: what does not
/// fill a cell is seen from the level above. Gortler et al., "The Lumigraph", SIGGRAPH 1996.
///
/// @param image  colours multiplied by alpha
std::vector<glm::vec3> background_of(const Image& image) {
  std::vector<Level> levels(1, {image.width, image.height, {}});
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const glm::vec3& color = image.pixels[i];
    const float weight = 1.0f - background_share(image.alpha[i]);
    const bool is_usable = weight > 0.0f && std::isfinite(color.x + color.y + color.z);
    levels[0].cells.push_back(is_usable ? glm::vec4(color, weight) : glm::vec4(0.0f));
  }
  do levels.push_back(half_of(levels.back()));
  while (levels.back().cells.size() > 1);
  glm::vec4& mean = levels.back().cells[0];
  if (mean.w > 0.0f) mean /= mean.w;
  for (size_t l = levels.size() - 2; l > 0; --l)
    for (uint32_t y = 0; y < levels[l].height; ++y)
      for (uint32_t x = 0; x < levels[l].width; ++x) {
        glm::vec4& cell = levels[l].cells[size_t{y} * levels[l].width + x];
        cell += (1.0f - cell.w) * cell_above(levels[l + 1], x, y);
      }
  std::vector<glm::vec3> background;
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) background.emplace_back(cell_above(levels[1], x, y));
  return background;
}

/// Adds the part of a background that is not covered, `sign` times.
void add_behind(const std::vector<glm::vec3>& background, const std::vector<float>& alpha,
                float sign, Image& image) {
  for (size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] += sign * background_share(alpha[i]) * background[i];
}

}  // namespace

Image denoise_covered(const Denoiser& denoiser, const Image& image, const DenoiseGuides& guides,
                      BrightPixels* bright) {
  if (image.alpha.empty()) return denoiser.denoise(image, guides, bright);
  Image clean = image;
  const PixelBox box = box_to_denoise(image);
  if (box.width == 0) return clean;
  // In front of black, the denoiser would add more error at silhouettes than it removes: the
  // background has the colours of the model.
  Image part = part_of(image, box), albedo = part_of(guides.albedo, box);
  const std::vector<float> alpha = part.alpha;
  const std::vector<glm::vec3> background = background_of(part);
  add_behind(background, alpha, 1.0f, part);
  if (!albedo.pixels.empty()) {
    if (albedo.alpha.empty()) albedo.alpha = alpha;
    add_behind(background_of(albedo), albedo.alpha, 1.0f, albedo);
  }
  part = denoiser.denoise(std::move(part),
                          {.albedo = std::move(albedo),
                           .normal = part_of(guides.normal, box),
                           .has_no_noise = guides.has_no_noise},
                          bright);
  add_behind(background, alpha, -1.0f, part);
  for (uint32_t y = 0; y < box.height; ++y)
    for (uint32_t x = 0; x < box.width; ++x) {
      const size_t pixel = size_t{box.y + y} * image.width + box.x + x;
      if (image.alpha[pixel] == 0.0f && image.pixels[pixel] == glm::vec3(0.0f)) continue;
      clean.pixels[pixel] = glm::max(part.pixels[size_t{y} * box.width + x], 0.0f);
    }
  return clean;
}

}  // namespace winnow
