#include "image/compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
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

constexpr uint64_t kSeed = 0x77696e6e6f772e31;
constexpr uint64_t kWordFactor = 0x9e3779b97f4a7c15;   // 2^64 over the golden ratio
constexpr uint64_t kStateFactor = 0xd6e8feb86659fd93;  // odd, its bits well mixed

/// One round. A bijection of `state` for a fixed word and injective in `word` for a fixed state, so
/// one changed word always changes the hash.
uint64_t mix(uint64_t state, uint32_t word) {
  return std::rotl(state ^ (word * kWordFactor), 29) * kStateFactor + kSeed;
}

/// Spreads each bit of the state over all bits of the hash. Also a bijection.
uint64_t finish(uint64_t state) {
  state ^= state >> 32;
  state *= kStateFactor;
  state ^= state >> 29;
  state *= kWordFactor;
  state ^= state >> 32;
  return state;
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
  uint64_t state = mix(mix(kSeed, image.width), image.height);
  for (const glm::vec3& pixel : image.pixels)
    for (int channel = 0; channel < 3; ++channel)
      state = mix(state, std::bit_cast<uint32_t>(pixel[channel]));
  return fmt::format("{:016x}", finish(state));
}

}  // namespace winnow
