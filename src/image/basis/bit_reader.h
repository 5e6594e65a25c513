// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace winnow {

/// Reads bits from bytes, the lowest bit of each byte first. Reading past the end throws Error
/// "truncated".
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  bool read_bit() { return read(1) != 0; }

  /// Returns the next number, of up to 32 bits; the first bit is the lowest.
  uint32_t read(unsigned count) {
    constexpr unsigned kByteBits = 8;
    uint32_t number = 0;
    for (unsigned done = 0; done < count;) {
      const size_t byte = at_ / kByteBits;
      if (byte >= bytes_.size()) throw Error("truncated");
      const unsigned used = at_ % kByteBits, taken = std::min(kByteBits - used, count - done);
      const uint32_t bits = static_cast<unsigned char>(bytes_[byte]) >> used;
      number |= (bits & ((1u << taken) - 1)) << done;
      done += taken;
      at_ += taken;
    }
    return number;
  }

  void skip(size_t bits) { at_ += bits; }

 private:
  std::string_view bytes_;
  size_t at_ = 0;  ///< bits
};

}  // namespace winnow
