// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/qualifiers.h"

// Items and operators of the soak test. No item has padding, so that outputs are compared byte by
// byte, and all operators are exact.

namespace soak {

/// An item of `kWords` words.
template <class Word, unsigned kWords>
struct Words {
  Word words[kWords];
};
using Bytes33 = Words<uint8_t, 33>;
using Item12 = Words<uint32_t, 3>;
using Item64 = Words<uint32_t, 16>;
struct alignas(16) Item16 {
  uint32_t words[4];
};

/// Its lowest byte says whether an item is selected.
template <class T>
SIMT_HOST_DEVICE uint32_t low_bits(const T& item) {
  if constexpr (requires { item.words; })
    return uint32_t(item.words[0]);
  else
    return uint32_t(item);
}
struct IsOdd {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T& item) const {
    return low_bits(item) & 1;
  }
};

/// A class of kClasses, or one of three that are dropped.
template <unsigned kClasses>
struct ClassOf {
  template <class T>
  SIMT_HOST_DEVICE uint32_t operator()(const T& item) const {
    return low_bits(item) % (kClasses + 3);
  }
};

struct EqualWords {
  SIMT_HOST_DEVICE bool operator()(const Item12& a, const Item12& b) const {
    return a.words[0] == b.words[0] && a.words[1] == b.words[1] && a.words[2] == b.words[2];
  }
};

/// x -> scale * x + offset, modulo 2^32: composition is associative and does not commute.
struct alignas(8) Affine {
  uint32_t scale, offset;
};
struct Compose {
  SIMT_HOST_DEVICE static Affine identity() { return {1, 0}; }
  SIMT_HOST_DEVICE Affine operator()(const Affine& first, const Affine& then) const {
    return {first.scale * then.scale, first.offset * then.scale + then.offset};
  }
};

/// The product of matrices of 2 x 2, modulo 2^32: associative, and does not commute.
struct Multiply {
  SIMT_HOST_DEVICE static Item16 identity() { return {{1, 0, 0, 1}}; }
  SIMT_HOST_DEVICE Item16 operator()(const Item16& a, const Item16& b) const {
    return {{a.words[0] * b.words[0] + a.words[1] * b.words[2],
             a.words[0] * b.words[1] + a.words[1] * b.words[3],
             a.words[2] * b.words[0] + a.words[3] * b.words[2],
             a.words[2] * b.words[1] + a.words[3] * b.words[3]}};
  }
};

}  // namespace soak
