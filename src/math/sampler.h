// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "base/names.h"
#include "compaction/simt/qualifiers.h"
#include "math/fast_divisor.h"
#include "math/morton.h"
#include "math/sobol.h"

namespace winnow {

/// Returns a uniform in [0, 1) from the upper 24 bits: the precision of a float in [0.5, 1).
SIMT_HOST_DEVICE inline float uniform_float(uint32_t bits) {
  return float(bits >> 8) * 0x1p-24f;
}

/// Returns 128 random bits of Philox4x32-10, a pure function of a counter and a key. Any two inputs
/// give independent outputs; there is no state to carry.
///
/// Salmon, Moraes, Dror & Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
SIMT_HOST_DEVICE inline glm::uvec4 philox(glm::uvec4 counter, glm::uvec2 key) {
  constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;  // golden ratio, sqrt(3) - 1
  constexpr int kRounds = 10;

  for (int round = 0; round < kRounds; ++round) {
    uint64_t product0 = uint64_t{kMultiplier0} * counter.x;
    uint64_t product1 = uint64_t{kMultiplier1} * counter.z;
    counter = {uint32_t(product1 >> 32) ^ counter.y ^ key.x, uint32_t(product1),
               uint32_t(product0 >> 32) ^ counter.w ^ key.y, uint32_t(product0)};
    key.x += kWeyl0;
    key.y += kWeyl1;
  }
  return counter;
}

/// The source of random numbers.
enum class SamplerType : uint32_t {
  kHash,   ///< Philox: all numbers are independent
  kSobol,  ///< Owen-scrambled Sobol' points, distributed over neighbouring pixels
};
template <>
inline constexpr std::array<const char*, 2> kEnumNames<SamplerType> = {"hash", "sobol"};

/// The fields that all samplers of a render share.
struct SamplerSettings {
  /// For kSobol. Sequences longer than 2^16 samples make no visible difference.
  static constexpr uint32_t kMaxLog2Samples = 16;

  uint64_t seed = 0;
  SamplerType type = SamplerType::kHash;
  /// For kSobol: each pixel uses 2^log2_samples consecutive points of a sequence, then continues
  /// with another sequence.
  uint32_t log2_samples = kMaxLog2Samples;
};

/// Returns SamplerSettings::log2_samples for `spp` samples per pixel; 0 is an unknown count.
constexpr uint32_t log2_samples_for(uint32_t spp) {
  if (spp == 0) return SamplerSettings::kMaxLog2Samples;
  return std::min(uint32_t(std::bit_width(spp - 1)), SamplerSettings::kMaxLog2Samples);
}

/// Hashes four 32-bit integers to four: each bit of the result depends on every bit of `v`.
/// Jarzynski & Olano, "Hash Functions for GPU Rendering", 2020.
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

/// Random numbers of one sample of one pixel. Stateless: threads may evaluate any dimension in any
/// order.
///
/// kSobol orders the pixels along the Morton curve and assigns 2^log2_samples consecutive points of
/// one sequence to each. The points of a pixel are therefore stratified, and so are those of each
/// block of four or sixteen neighbours: errors of neighbouring pixels have opposite signs, and the
/// noise is blue. Ahmed & Wonka, "Screen-Space Blue-Noise Diffusion of Monte Carlo Sampling Error
/// via Hierarchical Ordering of Pixels", 2020. The curve is randomised in every square; the points
/// are shuffled and Owen-scrambled separately for each dimension. Burley, "Practical Hash-based
/// Owen Scrambling", 2020.
struct Sampler {
  uint64_t seed = 0;
  uint32_t pixel = 0;
  uint32_t sample = 0;
  SamplerType type = SamplerType::kHash;
  uint32_t log2_samples = 0;  ///< see SamplerSettings
  FastDivisor width = {};     ///< width of the film, pixels; for kSobol

  /// Returns four uniforms in [0, 1): a pure function of all fields and `dimension`. Different
  /// dimensions are independent.
  SIMT_HOST_DEVICE glm::vec4 sample4(uint32_t dimension) const {
    return type == SamplerType::kHash ? hash4(dimension) : sobol4(dimension);
  }

  /// Returns numbers in [0, 1) for a direction: x and y are evenly distributed together; z, which
  /// chooses a lobe, by itself; w is a hash.
  SIMT_HOST_DEVICE glm::vec4 direction4(uint32_t dimension) const {
    if (type == SamplerType::kHash) return hash4(dimension);
    const auto [index, seeds] = sobol_index(dimension);
    const uint32_t x = scrambled(index, seeds.x), y = scrambled(sobol_second(index), seeds.y);
    const uint32_t other_index =
        reverse_bits(owen_scramble(reverse_bits(index), seeds.x ^ seeds.w));
    const uint32_t z = scrambled(other_index, seeds.y ^ seeds.z);
    return {uniform_float(x), uniform_float(y), uniform_float(z), uniform_float(mixed(x, y))};
  }

  /// Returns numbers for a light, in units of 2^-32: x and y are evenly distributed together, and
  /// also with x and y of direction4() of the same dimension; z is a hash. Independent of
  /// direction4().
  SIMT_HOST_DEVICE glm::uvec3 light3(uint32_t dimension) const {
    if (type == SamplerType::kHash) return glm::uvec3(hash_bits(dimension, kLightUse));
    const auto [index, seeds] = sobol_index(dimension);
    const uint32_t x = scrambled(sobol_third(index), seeds.z);
    const uint32_t y = scrambled(sobol_fourth(index), seeds.w);
    return {x, y, mixed(x, y)};
  }

 private:
  static constexpr uint32_t kLightUse = 1;  ///< separates the hashes of light3()

  SIMT_HOST_DEVICE glm::uvec4 hash_bits(uint32_t dimension, uint32_t use = 0) const {
    return philox({pixel, sample, dimension, use}, {uint32_t(seed), uint32_t(seed >> 32)});
  }
  SIMT_HOST_DEVICE glm::vec4 hash4(uint32_t dimension) const {
    const glm::uvec4 bits = hash_bits(dimension);
    return {uniform_float(bits.x), uniform_float(bits.y), uniform_float(bits.z),
            uniform_float(bits.w)};
  }

  /// A place in a shuffled Sobol' sequence, and the seeds that scramble its coordinates.
  struct SobolIndex {
    uint32_t index;
    glm::uvec4 seeds;
  };

  SIMT_HOST_DEVICE glm::vec4 sobol4(uint32_t dimension) const {
    const auto [index, seeds] = sobol_index(dimension);
    return {uniform_float(scrambled(index, seeds.x)),
            uniform_float(scrambled(sobol_second(index), seeds.y)),
            uniform_float(scrambled(sobol_third(index), seeds.z)),
            uniform_float(scrambled(sobol_fourth(index), seeds.w))};
  }

  SIMT_HOST_DEVICE SobolIndex sobol_index(uint32_t dimension) const {
    // An index has 32 bits. The bits of pixel and sample beyond these select another sequence.
    const uint32_t place = morton_code(pixel % width, pixel / width);
    const uint32_t above = place >> 16 >> (16 - log2_samples);
    const uint32_t later = sample >> log2_samples << log2_samples;
    const glm::uvec4 seeds =
        pcg4d({uint32_t(seed), uint32_t(seed >> 32), dimension, later | above});

    // Scrambling expects reversed bits: the lowest bits of the position on the curve become the
    // highest bits of the index.
    const uint32_t curve = turn_squares(reverse_bits(place), seeds.x + seeds.y);
    const uint32_t of_pixel = ~(~0u >> log2_samples);
    const uint32_t reversed_index = curve >> log2_samples | (reverse_bits(sample) & of_pixel);
    constexpr uint32_t kShuffle = 0x9E3779B9;  // shuffling and scrambling need different seeds
    const uint32_t index =
        reverse_bits(owen_scramble(reversed_index, seeds.z * kShuffle + seeds.w));
    return {index, seeds};
  }

  SIMT_HOST_DEVICE static uint32_t scrambled(uint32_t digits, uint32_t digits_seed) {
    return reverse_bits(owen_scramble(digits, digits_seed));
  }

  /// Hashes two scrambled coordinates: the high bits depend on their low ones, which are random.
  SIMT_HOST_DEVICE static uint32_t mixed(uint32_t x, uint32_t y) {
    return x * 0x9E3779B9 + y * 0x85EBCA6B;
  }

  /// Chooses at random, in every square, how its quarters are paired: along x, along y or, half of
  /// the time, diagonally. Shuffling then swaps quarters and pairs, so all orders of the four
  /// quarters occur.
  ///
  /// @param curve  position on the curve, bits reversed
  SIMT_HOST_DEVICE static uint32_t turn_squares(uint32_t curve, uint32_t seed) {
    constexpr uint32_t kFirstOfTwo = 0x55555555;
    // The two random bits of a digit depend on the enclosing larger squares.
    const uint32_t random = owen_scramble(curve, seed) << 2;
    const uint32_t swap = (curve ^ curve >> 1) & ~random & random >> 1 & kFirstOfTwo;
    curve ^= swap | swap << 1;
    return curve ^ (curve >> 1 & random & kFirstOfTwo);
  }
};

}  // namespace winnow
