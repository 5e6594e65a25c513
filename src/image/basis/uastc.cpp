// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/error.h"
#include "image/basis/basis_universal.h"
#include "image/basis/bit_reader.h"

namespace winnow {
namespace {

constexpr size_t kTexels = 16, kMaxSubsets = 3, kMaxValues = 18;
constexpr unsigned kColorBits = 8;

[[noreturn]] void refuse_uastc() {
  throw Error("cannot be decoded: its UASTC data are broken");
}

/// Numbers from 0 to below `base` 2^bits, as in ASTC: digits of base 3 or 5, and bits.
struct EndpointRange {
  unsigned bits, base = 1;
};

/// How the texels of a subset follow from its two endpoints.
enum class Channels { kGreyAlpha = 2, kRgb = 3, kRgba = 4 };

/// Index of a table of patterns.
enum class PatternTable { kNone, kTwo, kThree, kTwoOfMode7 };

/// A mode of a block, in the order of the specification.
struct UastcMode {
  unsigned code, code_bits;  ///< start of a block, the lowest bit first
  unsigned weight_bits;
  EndpointRange endpoints;
  Channels channels;
  unsigned hint_bits;  ///< bits that help other formats
  PatternTable patterns = PatternTable::kNone;
  unsigned weights = 1;        ///< per texel
  bool names_channel = false;  ///< two bits tell to which channel the second weight applies
};

constexpr unsigned kSolidColor = 8;  // mode
constexpr unsigned kModeCodeBits = 7;
constexpr auto kRgb = Channels::kRgb, kRgba = Channels::kRgba, kGreyAlpha = Channels::kGreyAlpha;

constexpr UastcMode kUastcModes[] = {
    {0x01, 4, 4, {6, 3}, kRgb, 15},
    {0x35, 6, 2, {8}, kRgb, 15},
    {0x1d, 5, 3, {4}, kRgb, 15, PatternTable::kTwo},
    {0x03, 5, 2, {2, 3}, kRgb, 15, PatternTable::kThree},
    {0x13, 5, 2, {3, 5}, kRgb, 15, PatternTable::kTwo},
    {0x0b, 5, 3, {8}, kRgb, 15},
    {0x1b, 5, 2, {5, 5}, kRgb, 15, PatternTable::kNone, 2, true},
    {0x07, 5, 2, {3, 5}, kRgb, 15, PatternTable::kTwoOfMode7},
    {0x17, 5, 0, {8}, kRgba, 0},
    {0x0f, 5, 2, {4}, kRgba, 23, PatternTable::kTwo},
    {0x02, 3, 4, {4, 3}, kRgba, 17},
    {0x00, 2, 2, {4, 3}, kRgba, 17, PatternTable::kNone, 2, true},
    {0x06, 3, 3, {6, 3}, kRgba, 17},
    {0x1f, 5, 1, {8}, kRgba, 23, PatternTable::kNone, 2, true},
    {0x0d, 5, 2, {8}, kRgba, 23},
    {0x05, 7, 4, {8}, kGreyAlpha, 23},
    {0x15, 6, 2, {8}, kGreyAlpha, 23, PatternTable::kTwo},
    {0x25, 6, 2, {8}, kGreyAlpha, 23, PatternTable::kNone, 2},
    {0x09, 4, 5, {5}, kRgb, 15},
};

// Seeds of the patterns that UASTC takes from ASTC.
constexpr uint16_t kTwoSubsets[] = {28,  20,  16,  29,  91,  9,   107, 72,  149, 204,
                                    50,  114, 496, 17,  78,  39,  252, 828, 43,  156,
                                    116, 210, 476, 273, 684, 359, 246, 195, 694, 524};
constexpr uint16_t kThreeSubsets[] = {260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254};
constexpr uint16_t kTwoSubsetsOfMode7[] = {36,  48,  61,  137, 161, 183, 226, 281, 302, 307,
                                           479, 495, 593, 594, 605, 799, 812, 988, 993};

using SubsetPattern = std::array<uint8_t, kTexels>;  // subset of each texel

/// Returns ASTC's hash of a seed.
constexpr uint32_t hash_of_seed(uint32_t p) {
  p ^= p >> 15;
  p -= p << 17;
  p += p << 7;
  p += p << 4;
  p ^= p >> 5;
  p += p << 16;
  p ^= p >> 7;
  p ^= p >> 3;
  p ^= p << 6;
  p ^= p >> 17;
  return p;
}

/// Returns the pattern of a seed. Each subset has a plane over the block with random slopes; a
/// texel belongs to the subset of the highest one.
constexpr SubsetPattern pattern_of(uint32_t seed, uint32_t subset_count) {
  constexpr uint32_t kPerCount = 1024, kSlopeMask = 15, kHeightMask = 63;
  constexpr uint32_t kSlopeAt[kMaxSubsets][2] = {{0, 4}, {8, 12}, {16, 20}};
  constexpr uint32_t kHeightAt[kMaxSubsets] = {14, 10, 6};
  seed += (subset_count - 1) * kPerCount;
  const uint32_t random = hash_of_seed(seed);
  // How far the slopes along x and along y are shifted.
  const uint32_t by_bit_1 = seed & 2 ? 4 : 5, by_count = subset_count == 3 ? 6 : 5;
  const uint32_t shift_x = seed & 1 ? by_bit_1 : by_count, shift_y = seed & 1 ? by_count : by_bit_1;
  SubsetPattern pattern{};
  for (uint32_t texel = 0; texel < kTexels; ++texel) {
    const uint32_t x = 2 * (texel % 4), y = 2 * (texel / 4);
    uint32_t highest = 0;
    for (uint32_t subset = 0; subset < subset_count; ++subset) {
      const uint32_t along_x = random >> kSlopeAt[subset][0] & kSlopeMask,
                     along_y = random >> kSlopeAt[subset][1] & kSlopeMask;
      const uint32_t height = ((along_x * along_x >> shift_x) * x +
                               (along_y * along_y >> shift_y) * y + (random >> kHeightAt[subset])) &
                              kHeightMask;
      if (subset > 0 && height <= highest) continue;
      highest = height;
      pattern[texel] = uint8_t(subset);
    }
  }
  return pattern;
}

template <size_t kCount>
constexpr std::array<SubsetPattern, kCount> patterns_of(const uint16_t (&seeds)[kCount],
                                                        uint32_t subset_count) {
  std::array<SubsetPattern, kCount> patterns{};
  for (size_t i = 0; i < kCount; ++i) patterns[i] = pattern_of(seeds[i], subset_count);
  return patterns;
}

constexpr size_t subset_count_of(PatternTable patterns) {
  if (patterns == PatternTable::kNone) return 1;
  return patterns == PatternTable::kThree ? 3 : 2;
}

/// Reads the index of a pattern, and returns the pattern.
SubsetPattern read_pattern(BitReader& bits, PatternTable patterns) {
  static constexpr auto kTwo = patterns_of(kTwoSubsets, 2);
  static constexpr auto kThree = patterns_of(kThreeSubsets, 3);
  static constexpr auto kTwoOfMode7 = patterns_of(kTwoSubsetsOfMode7, 2);
  constexpr unsigned kTwoBits = 5, kThreeBits = 4;
  auto read = [&](const auto& table, unsigned index_bits) {
    const uint32_t index = bits.read(index_bits);
    if (index >= table.size()) refuse_uastc();
    return table[index];
  };
  switch (patterns) {
    case PatternTable::kNone:
      break;
    case PatternTable::kTwo:
      return read(kTwo, kTwoBits);
    case PatternTable::kThree:
      return read(kThree, kThreeBits);
    case PatternTable::kTwoOfMode7:
      return read(kTwoOfMode7, kTwoBits);
  }
  return {};
}

/// Expands a number of a range to [0, 255], as ASTC does for the endpoints of colours.
unsigned expand_endpoint(EndpointRange range, unsigned bits, unsigned digit) {
  if (range.base == 1) {
    unsigned value = bits << (kColorBits - range.bits);
    for (unsigned done = range.bits; done < kColorBits; done *= 2) value |= value >> done;
    return value;
  }
  // The lowest bit inverts the others; the higher bits fill the gaps between the digits.
  constexpr unsigned kAll = 0x1ff, kHighest = 0x80;
  const unsigned inverted = bits & 1 ? kAll : 0, high = bits >> 1;
  unsigned step = 0, fill = 0;
  if (range.base == 3) {
    step = range.bits == 2 ? 93 : range.bits == 4 ? 22 : 5;
    fill = range.bits == 2   ? high * 0x116
           : range.bits == 4 ? high << 6 | high
                             : high << 4 | high >> 4;
  } else {
    step = range.bits == 3 ? 26 : 6;
    fill = range.bits == 3 ? high << 7 | high << 1 | high >> 1 : high << 5 | high >> 3;
  }
  const unsigned value = (digit * step + fill) ^ inverted;
  return (inverted & kHighest) | value >> 2;
}

/// Reads the endpoints: the digits of several of them, packed to few bits, come before the bits of
/// each.
std::array<unsigned, kMaxValues> read_endpoints(BitReader& bits, EndpointRange range,
                                                size_t count) {
  constexpr unsigned kBitsOfThrees[] = {0, 2, 4, 5, 7, 8}, kBitsOfFives[] = {0, 3, 5, 7};
  std::array<unsigned, kMaxValues> digits{}, endpoints{};
  const size_t group = range.base == 3 ? 5 : 3;
  for (size_t at = 0; at < count && range.base > 1; at += group) {
    const size_t in_group = std::min(group, count - at);
    unsigned packed = bits.read(range.base == 3 ? kBitsOfThrees[in_group] : kBitsOfFives[in_group]);
    for (size_t i = 0; i < in_group; ++i, packed /= range.base)
      digits[at + i] = packed % range.base;
  }
  for (size_t i = 0; i < count; ++i)
    endpoints[i] = expand_endpoint(range, bits.read(range.bits), digits[i]);
  return endpoints;
}

/// Returns a weight as a number from 0 to 64.
unsigned expand_weight(unsigned weight, unsigned bits) {
  constexpr unsigned kBits = 6, kHalf = 32;
  unsigned value = 0;
  for (int shift = int(kBits - bits); shift > -int(bits); shift -= int(bits))
    value |= shift >= 0 ? weight << shift : weight >> -shift;
  return value + (value > kHalf);
}

/// Returns two endpoints of a channel, mixed by a weight from 0 to 64, as ASTC does.
unsigned mix_endpoints(unsigned low, unsigned high, unsigned weight) {
  constexpr unsigned kTo16Bits = 257, kOne = 64, kShift = 14;
  return (low * kTo16Bits * (kOne - weight) + high * kTo16Bits * weight + kOne / 2) >> kShift;
}

glm::u8vec4 read_solid_color(BitReader& bits) {
  glm::u8vec4 color;
  for (int channel = 0; channel < 4; ++channel) color[channel] = uint8_t(bits.read(kColorBits));
  return color;
}

}  // namespace

std::array<glm::u8vec4, 16> decode_uastc_block(std::string_view bytes) {
  constexpr unsigned kAlpha = 3, kOpaque = 255, kChannelBits = 2;
  const unsigned start = BitReader(bytes).read(kModeCodeBits);
  const UastcMode* mode = std::ranges::find_if(kUastcModes, [&](const UastcMode& one) {
    return (start & ((1u << one.code_bits) - 1)) == one.code;
  });
  if (mode == std::end(kUastcModes)) refuse_uastc();
  BitReader bits(bytes);
  bits.skip(mode->code_bits);
  std::array<glm::u8vec4, 16> texels;
  if (mode - kUastcModes == kSolidColor) {
    texels.fill(read_solid_color(bits));
    return texels;
  }
  bits.skip(mode->hint_bits);
  const SubsetPattern pattern = read_pattern(bits, mode->patterns);
  const size_t subset_count = subset_count_of(mode->patterns);
  unsigned second_channel = kAlpha;  // gets the second weight
  if (mode->names_channel) second_channel = bits.read(kChannelBits);

  const auto channel_count = size_t(mode->channels);
  const auto endpoints = read_endpoints(bits, mode->endpoints, 2 * channel_count * subset_count);
  std::array<bool, kMaxSubsets> is_begun{};
  for (size_t texel = 0; texel < kTexels; ++texel) {
    // The first weights of a subset have a zero as their highest bit, which is not stored.
    const size_t subset = pattern[texel];
    const unsigned stored = mode->weight_bits - unsigned(!std::exchange(is_begun[subset], true));
    unsigned weights[2];
    for (unsigned i = 0; i < mode->weights; ++i)
      weights[i] = expand_weight(bits.read(stored), mode->weight_bits);
    for (unsigned channel = 0; channel < 4; ++channel) {
      const bool is_second = mode->weights > 1 && channel == second_channel;
      const bool is_grey_alpha = mode->channels == Channels::kGreyAlpha;
      const size_t source = !is_grey_alpha ? channel : channel == kAlpha ? 1 : 0;
      const size_t low = 2 * (subset * channel_count + source);
      texels[texel][int(channel)] =
          source >= channel_count
              ? uint8_t(kOpaque)
              : uint8_t(mix_endpoints(endpoints[low], endpoints[low + 1], weights[is_second]));
    }
  }
  return texels;
}

}  // namespace winnow
