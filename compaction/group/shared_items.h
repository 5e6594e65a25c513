#pragma once

#include <cstddef>
#include <type_traits>

#include "compaction/simt/simt.h"

namespace compaction {

/// What a tile may take of shared memory, padding aside. Bytes; well below the 48 KiB that a kernel
/// has without asking, so that items of up to 128 bytes fit and several blocks run side by side.
inline constexpr unsigned kTileBytes = 32 * 1024;

/// `count` items in shared memory, without initial values: T may have constructors, shared memory
/// may not.
///
/// One slot in 33 stays unused, so that strides that are powers of two do not all fall into one of
/// the 32 banks. An index outside is an error, as in a Span.
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
