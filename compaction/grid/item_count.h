// SPDX-License-Identifier: MIT
#pragma once

#include <cassert>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "compaction/simt/simt.h"

namespace compaction {

/// An integer of 32 or 64 bits, with or without a sign, in which a count can be stored.
template <class I>
concept CountInteger = std::integral<I> &&
    (sizeof(I) == sizeof(uint32_t) || sizeof(I) == sizeof(uint64_t));

/// Types of counts in memory. They may alias any integer of their size that the caller declared.
using NarrowCount [[gnu::may_alias]] = uint32_t;
using WideCount [[gnu::may_alias]] = uint64_t;

/// A count of 32 or 64 bits in device memory that a kernel reads.
class DeviceCount {
 public:
  DeviceCount() = default;
  template <CountInteger I>
  SIMT_HOST_DEVICE DeviceCount(const I* count)
      : count_(count), bytes_(sizeof(I)), is_signed_(std::is_signed_v<I>) {}

  SIMT_HOST_DEVICE explicit operator bool() const { return count_ != nullptr; }
  /// Returns the bits in memory; those of a negative count are a large number.
  SIMT_HOST_DEVICE uint64_t load() const {
    return is_wide() ? *static_cast<const WideCount*>(count_)
                     : *static_cast<const NarrowCount*>(count_);
  }

  /// Returns whether the bits in memory are those of a negative count.
  SIMT_HOST_DEVICE bool is_negative(uint64_t bits) const { return bits > max(); }
  /// Returns the largest count of the type.
  SIMT_HOST_DEVICE uint64_t max() const {
    const uint64_t all = is_wide() ? ~uint64_t(0) : ~uint32_t(0);
    return is_signed_ ? all >> 1 : all;
  }

  /// Returns the address of the count, or null. bytes() is its size.
  SIMT_HOST_DEVICE const void* address() const { return count_; }
  size_t bytes() const { return bytes_; }

 protected:
  SIMT_HOST_DEVICE bool is_wide() const { return bytes_ == sizeof(uint64_t); }

  const void* count_ = nullptr;
  uint32_t bytes_ = sizeof(uint32_t);
  bool is_signed_ = false;
};

/// A count, or an array of counts, in device memory that a kernel writes.
class DeviceCountOut : public DeviceCount {
 public:
  DeviceCountOut() = default;
  template <CountInteger I>
  requires(!std::is_const_v<I>) SIMT_HOST_DEVICE DeviceCountOut(I* count) : DeviceCount(count) {}

  SIMT_HOST_DEVICE void store(uint64_t count, unsigned i = 0) const {
    void* counts = const_cast<void*>(count_);
    if (is_wide())
      static_cast<WideCount*>(counts)[i] = count;
    else
      static_cast<NarrowCount*>(counts)[i] = uint32_t(count);
  }
};

namespace detail {

/// Maximum number of items of a call.
inline constexpr uint64_t kMaxItems = uint64_t(1) << 40;

}  // namespace detail

/// The number of items: `capacity`, or a count in device memory that `capacity` limits. A negative
/// count is 0.
///
/// The host sizes grids and workspaces by `capacity` and never reads `on_device`. Any integer
/// converts to an ItemCount; a negative capacity becomes larger than any function accepts.
struct ItemCount {
  uint64_t capacity = 0;
  DeviceCount on_device = {};

  ItemCount() = default;
  template <std::integral I>
  SIMT_HOST_DEVICE ItemCount(I capacity, DeviceCount on_device = {})
      : capacity(uint64_t(capacity)), on_device(on_device) {
    // So a negative count is above the capacity. A capacity that functions refuse stays as it is.
    if (on_device && this->capacity <= detail::kMaxItems && this->capacity > on_device.max())
      this->capacity = on_device.max();
  }

  /// Returns the number of items, in a kernel.
  SIMT_HOST_DEVICE uint64_t operator()() const {
    if (!on_device) return capacity;
    const uint64_t count = on_device.load();
    if (count <= capacity) return count;  // few instructions: kernels of few items wait for them
    return on_device.is_negative(count) ? 0 : capacity;
  }
};

/// The output of the number of selected items, and how many of them a select may write.
struct SelectedCount {
  DeviceCountOut count;              ///< receives the number of selected items
  uint64_t capacity = ~uint64_t(0);  ///< size of the output; items beyond it are not written
  uint32_t* overflowed = nullptr;    ///< [1] or null, receives 1 if some were not written, or 0
  bool in_place = false;             ///< whether the output overwrites the items that are read
};

/// Returns the number of blocks for up to `capacity` items in tiles of `tile_size`: at most 2^31 -
/// 1, the limit of one launch.
inline uint32_t grid_size(uint64_t capacity, unsigned tile_size) {
  [[maybe_unused]] constexpr uint64_t kMaxBlocks = (uint64_t(1) << 31) - 1;
  uint64_t blocks = simt::ceil_div(capacity, tile_size);
  assert(blocks <= kMaxBlocks && "too many items for one launch");
  return uint32_t(blocks);
}

}  // namespace compaction
