// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <type_traits>

#include "compaction/simt/simt.h"

namespace compaction {

/// Shared memory that the items of a tile may occupy, without padding. Bytes. It leaves room for
/// items of up to 128 bytes and for several blocks per multiprocessor.
inline constexpr unsigned kTileBytes = 32 * 1024;

/// `count` uninitialized items in shared memory. T may have constructors, which shared memory does
/// not allow.
///
/// One slot in 33 is padding, so that strides of a power of two do not all map to one of the 32
/// banks. An index out of range is an error, as in a Span.
template <class T, unsigned count>
struct SharedItems {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr unsigned kCount = count;
  static constexpr unsigned kBanks = 32;

  SIMT_HOST_DEVICE static constexpr unsigned slot(unsigned item) { return item + item / kBanks; }

  SIMT_HOST_DEVICE T& operator[](unsigned item) {
    simt::Span<T> slots{reinterpret_cast<T*>(bytes), slot(kCount - 1) + 1};
    return slots[slot(item)];
  }

  alignas(T) std::byte bytes[(slot(kCount - 1) + 1) * sizeof(T)];
};

}  // namespace compaction
