#include "image/image_hash.h"

#include <fmt/core.h>

#include <bit>

namespace winnow {
namespace {

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

std::string image_hash(const Image& image) {
  uint64_t state = mix(mix(kSeed, image.width), image.height);
  for (const glm::vec3& pixel : image.pixels)
    for (int channel = 0; channel < 3; ++channel)
      state = mix(state, std::bit_cast<uint32_t>(pixel[channel]));
  return fmt::format("{:016x}", finish(state));
}

}  // namespace winnow
