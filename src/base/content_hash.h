#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace winnow {

/// 128 bits that tell contents apart: equal ones are equal on every machine, and different ones
/// differ but for a chance of 2^-128. No shield against a forger.
class ContentHash {
 public:
  using Value = std::array<uint64_t, 2>;

  /// Adds bytes, and how many there are.
  void add(const void* data, size_t bytes) {
    add(bytes);
    const auto* from = static_cast<const std::byte*>(data);
    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), from += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, from, sizeof word);
      add(word);
    }
    if (bytes == 0) return;
    uint64_t rest = 0;
    std::memcpy(&rest, from, bytes);
    add(rest);
  }

  void add(uint64_t word) {
    // Each round is a bijection of the state for a given word, and the other way round. The two
    // halves turn by different angles.
    constexpr int kTurns[2] = {29, 41};
    for (int half = 0; half < 2; ++half)
      state_[half] =
          std::rotl(state_[half] ^ (word * kFactors[half]), kTurns[half]) * kFactors[1 - half] +
          kSeeds[half];
  }

  /// Spreads each bit over all of the result.
  Value value() const {
    Value value = state_;
    constexpr int kRounds = 3, kShift = 32;
    for (int round = 0; round < kRounds; ++round) {
      for (uint64_t& half : value) half = (half ^ half >> kShift) * kFactors[0];
      value = {value[0] + value[1], std::rotl(value[1], kShift) ^ value[0]};
    }
    return value;
  }

 private:
  static constexpr uint64_t kFactors[2] = {0x9e3779b97f4a7c15, 0xd6e8feb86659fd93};
  static constexpr uint64_t kSeeds[2] = {0x77696e6e6f772e31, 0xc2b2ae3d27d4eb4f};

  Value state_ = {kSeeds[0], kSeeds[1]};
};

}  // namespace winnow
