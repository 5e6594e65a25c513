#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "base/enum_names.h"
#include "compaction/simt/qualifiers.h"
#include "math/fast_divisor.h"
#include "math/morton.h"
#include "math/owen_scramble.h"
#include "math/philox.h"
#include "math/sobol.h"

namespace winnow {

/// A uniform in [0, 1) of the upper 24 bits, all that a float in [0.5, 1) can hold; never 1.
SIMT_HOST_DEVICE inline float uniform_float(uint32_t bits) {
  return float(bits >> 8) * 0x1p-24f;
}

/// Where random numbers come from.
enum class SamplerType : uint32_t {
  kHash,   ///< Philox: all numbers are independent
  kSobol,  ///< Owen-scrambled Sobol' points, which neighbouring pixels share out
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<SamplerType> = {"hash", "sobol"};

/// What all samplers of a render have in common.
struct SamplerSettings {
  /// Of kSobol: beyond 2^16 samples a sequence shows nothing that a picture would.
  static constexpr uint32_t kMaxLog2Samples = 16;

  uint64_t seed = 0;
  SamplerType type = SamplerType::kHash;
  /// Of kSobol: each pixel takes 2^log2_samples points in a row of a sequence, then of another one.
  uint32_t log2_samples = kMaxLog2Samples;
};

/// For pixels of `spp` samples, or of a number not known if it is 0.
constexpr uint32_t log2_samples_for(uint32_t spp) {
  constexpr uint32_t kMax = SamplerSettings::kMaxLog2Samples;
  return spp == 0 ? kMax : std::min(uint32_t(std::bit_width(spp - 1)), kMax);
}

/// Four random words that depend on every bit of four. Jarzynski & Olano, "Hash Functions for GPU
/// Rendering", 2020.
SIMT_HOST_DEVICE inline glm::uvec4 pcg4d(glm::uvec4 v) {
  v = v * 1664525u + 1013904223u;
  for (int round = 0; round < 2; ++round) {
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    if (round == 0) v = v ^ (v >> 16u);
  }
  return v;
}

/// Random numbers of one sample of one pixel. Has no state: any thread may ask in any order.
///
/// kSobol puts the pixels in an order along Morton's curve and deals them the points of one
/// sequence, 2^log2_samples to each. So the points of a pixel are stratified, and so are those of
/// four neighbours together, and of sixteen: what a pixel has too much of, its neighbours have too
/// little, and the noise is blue. Ahmed & Wonka, "Screen-Space Blue-Noise Diffusion of Monte Carlo
/// Sampling Error via Hierarchical Ordering of Pixels", 2020. The curve turns at random in every
/// square, the points are shuffled and Owen-scrambled anew for each dimension. Burley, "Practical
/// Hash-based Owen Scrambling", 2020.
struct Sampler {
  uint64_t seed = 0;
  uint32_t pixel = 0;
  uint32_t sample = 0;
  SamplerType type = SamplerType::kHash;
  uint32_t log2_samples = 0;  ///< see SamplerSettings
  FastDivisor width = {};     ///< of the film, pixels; of kSobol

  /// Four uniforms in [0, 1), a pure function of all fields and `dimension`; independent of those
  /// of all other dimensions.
  SIMT_HOST_DEVICE glm::vec4 sample4(uint32_t dimension) const {
    return type == SamplerType::kHash ? hash4(dimension) : sobol4(dimension);
  }

 private:
  SIMT_HOST_DEVICE glm::vec4 hash4(uint32_t dimension) const {
    glm::uvec2 key{uint32_t(seed), uint32_t(seed >> 32)};
    glm::uvec4 bits = philox({pixel, sample, dimension, 0}, key);
    return {uniform_float(bits.x), uniform_float(bits.y), uniform_float(bits.z),
            uniform_float(bits.w)};
  }

  SIMT_HOST_DEVICE glm::vec4 sobol4(uint32_t dimension) const {
    // An index has 32 bits. What goes beyond, of pixel and sample, chooses another sequence.
    const uint32_t place = morton_code(pixel % width, pixel / width);
    const uint32_t above = place >> 16 >> (16 - log2_samples);
    const uint32_t later = sample >> log2_samples << log2_samples;
    const glm::uvec4 seeds =
        pcg4d({uint32_t(seed), uint32_t(seed >> 32), dimension, later | above});

    // With its bits in reverse order, as they are scrambled: the place's lowest are the index's
    // highest.
    const uint32_t curve = turn_squares(reverse_bits(place), seeds.x + seeds.y);
    const uint32_t of_pixel = ~(~0u >> log2_samples);
    const uint32_t reversed_index = curve >> log2_samples | (reverse_bits(sample) & of_pixel);
    constexpr uint32_t kOther = 0x9E3779B9;  // shuffling takes other seeds than scrambling
    const uint32_t index = reverse_bits(owen_scramble(reversed_index, seeds.z * kOther + seeds.w));
    return {scrambled(index, seeds.x), scrambled(sobol_second(index), seeds.y),
            scrambled(sobol_third(index), seeds.z), scrambled(sobol_fourth(index), seeds.w)};
  }

  SIMT_HOST_DEVICE static float scrambled(uint32_t digits, uint32_t digits_seed) {
    return uniform_float(reverse_bits(owen_scramble(digits, digits_seed)));
  }

  /// Chooses in every square which of its quarters make a pair: neighbours along x, along y or,
  /// half the time, across the corner. Shuffling then swaps quarters and pairs, so that all orders
  /// of four can come up.
  ///
  /// @param curve  place on the curve with its bits in reverse order
  SIMT_HOST_DEVICE static uint32_t turn_squares(uint32_t curve, uint32_t seed) {
    constexpr uint32_t kFirstOfTwo = 0x55555555;
    // A digit's two random bits depend on the larger squares around.
    const uint32_t random = owen_scramble(curve, seed) << 2;
    const uint32_t swap = (curve ^ curve >> 1) & ~random & random >> 1 & kFirstOfTwo;
    curve ^= swap | swap << 1;
    return curve ^ (curve >> 1 & random & kFirstOfTwo);
  }
};

}  // namespace winnow
