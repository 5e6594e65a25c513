// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "compaction/simt/atomic.h"
#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"

// Items of any size, and predicates on them.

namespace fast {

using Bytes = std::vector<uint8_t>;

/// `kBytes` bytes. The lowest bit of the first one is the flag of the item; the next three, where
/// there are that many, hold its index.
template <size_t kBytes, size_t kAlign>
struct alignas(kAlign) Item {
  uint8_t bytes[kBytes];

  SIMT_HOST_DEVICE uint32_t index() const {
    return bytes[1] | uint32_t(bytes[2]) << 8 | uint32_t(bytes[3]) << 16;
  }
};

/// Calls `use` with an item of `bytes` bytes. Vector loads can move items of a power of two up to
/// 16 bytes.
template <class Use>
auto with_item(unsigned bytes, Use use) {
  switch (bytes) {
    case 1:
      return use(Item<1, 1>());
    case 2:
      return use(Item<2, 2>());
    case 8:
      return use(Item<8, 8>());
    case 12:
      return use(Item<12, 4>());
    case 16:
      return use(Item<16, 16>());
    case 32:
      return use(Item<32, 16>());
    case 64:
      return use(Item<64, 8>());
    case 100:
      return use(Item<100, 4>());
    case 128:
      return use(Item<128, 16>());
  }
  return use(Item<4, 4>());
}

struct IsKept {
  template <class T>
  SIMT_HOST_DEVICE bool operator()(const T& item) const {
    return item.bytes[0] & 1;
  }
};

/// Counts its calls for each item.
struct IsKeptAndCounted {
  simt::Span<uint32_t> calls;  ///< [item]

  template <class T>
  SIMT_KERNEL bool operator()(const T& item) const {
    simt::add_relaxed(calls[item.index()], 1);
    return item.bytes[0] & 1;
  }
};

/// Looks up the flag of an index and counts its calls for each index.
struct IndexIsKept {
  simt::Span<const uint8_t> keep;  ///< [index]
  simt::Span<uint32_t> calls;      ///< [index]

  SIMT_KERNEL bool operator()(uint64_t index) const {
    simt::add_relaxed(calls[index], 1);
    return keep[index] != 0;
  }
};

/// One item of `item_bytes` bytes for each element of `keep`, contiguous.
inline Bytes make_items(unsigned item_bytes, const Bytes& keep, uint32_t seed = 5) {
  std::mt19937 random(seed);
  Bytes items(keep.size() * item_bytes);
  for (uint8_t& byte : items) byte = uint8_t(random());
  for (size_t i = 0; i < keep.size(); ++i) {
    uint8_t* item = &items[i * item_bytes];
    item[0] = uint8_t((item[0] & ~1) | (keep[i] ? 1 : 0));
    for (unsigned byte = 1; byte < 4 && byte < item_bytes; ++byte)
      item[byte] = uint8_t(i >> (8 * (byte - 1)));
  }
  return items;
}

/// The items whose flag is `kept`, in order.
inline Bytes reference_select(const Bytes& items, unsigned item_bytes, const Bytes& keep,
                              bool kept = true) {
  Bytes selected;
  for (size_t i = 0; i < keep.size(); ++i)
    if ((keep[i] != 0) == kept)
      selected.insert(selected.end(), items.begin() + ptrdiff_t(i * item_bytes),
                      items.begin() + ptrdiff_t((i + 1) * item_bytes));
  return selected;
}

inline Bytes random_keep(size_t n, double density, uint32_t seed = 7) {
  std::mt19937 random(seed);
  std::bernoulli_distribution kept(density);
  Bytes keep(n);
  for (uint8_t& flag : keep) flag = kept(random);
  return keep;
}

}  // namespace fast
