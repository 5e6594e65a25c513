// SPDX-License-Identifier: MIT
#include "image/compare.h"

#include <fmt/core.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace winnow {
namespace {

float absolute_difference(float a, float b) {
  if (a == b) return 0.0f;  // includes equal infinities
  float difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<float>::infinity() : difference;
}

}  // namespace

void check_same_size(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height)
    throw Error(fmt::format("the images differ in size: {}x{} and {}x{}", a.width, a.height,
                            b.width, b.height));
}

Difference compare(const Image& a, const Image& b) {
  check_same_size(a, b);
  Difference result;
  double squares = 0.0, relative_squares = 0.0;
  uint64_t value_count = 0;
  for (size_t pixel = 0; pixel < a.pixels.size(); ++pixel)
    for (int channel = 0; channel < 3; ++channel) {
      double value = a.pixels[pixel][channel], reference = b.pixels[pixel][channel];
      if (!std::isfinite(value) || !std::isfinite(reference)) {
        ++result.not_finite_count;
        continue;
      }
      double difference = value - reference, square = difference * difference;
      squares += square;
      relative_squares += square / (reference * reference + kRelativeOffset);
      result.max = std::max(result.max, std::abs(difference));
      ++value_count;
    }
  if (value_count > 0) {
    result.mse = squares / double(value_count);
    result.relative_mse = relative_squares / double(value_count);
  }
  result.psnr = -10.0 * std::log10(result.mse);
  return result;
}

Image difference_image(const Image& a, const Image& b) {
  check_same_size(a, b);
  Image result{a.width, a.height, std::vector<glm::vec3>(a.pixels.size())};
  for (size_t pixel = 0; pixel < a.pixels.size(); ++pixel)
    for (int channel = 0; channel < 3; ++channel)
      result.pixels[pixel][channel] =
          absolute_difference(a.pixels[pixel][channel], b.pixels[pixel][channel]);
  return result;
}

std::string image_hash(const Image& image) {
  const uint64_t seed = uint64_t(image.width) << 32 | image.height;
  const size_t bytes = image.pixels.size() * sizeof(glm::vec3);
  return fmt::format("{:016x}", XXH3_64bits_withSeed(image.pixels.data(), bytes, seed));
}

}  // namespace winnow
